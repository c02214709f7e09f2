// The seven channels in their order, with name and icon, and the strip that shows what each of them did.

import { html, nothing, type TemplateResult } from 'lit'

import { words } from '../words.ts'
import { BROWSER, icon, INBOX, MAIL, MOBILE, PHONE, SLACK, SMS } from './icons.ts'

export const CHANNELS = ['INAPP_WEB', 'EMAIL', 'SMS', 'CALL', 'PUSH', 'WEB_PUSH', 'SLACK'] as const
export type Channel = (typeof CHANNELS)[number]

const ICONS: Readonly<Record<Channel, string>> = {
  CALL: PHONE,
  EMAIL: MAIL,
  INAPP_WEB: INBOX,
  PUSH: MOBILE,
  SLACK,
  SMS,
  WEB_PUSH: BROWSER
}

export const isChannel = (name: string): name is Channel => (CHANNELS as readonly string[]).includes(name)
export const channelName = (channel: string): string =>
  isChannel(channel) ? words.channels[channel] : channel
export const channelIcon = (channel: string, className = ''): TemplateResult =>
  icon(isChannel(channel) ? ICONS[channel] : INBOX, className)

/** What a channel did with a send. */
export type ChannelState = 'sent' | 'failed' | 'waiting' | 'discarded'

/** Seven places, always in the same order, spoken as one sentence. */
export function renderStrip(states: Readonly<Partial<Record<Channel, ChannelState>>>): TemplateResult {
  const parts = CHANNELS.filter(channel => states[channel]).map(
    channel => `${words.channels[channel]} ${words.channelStates[states[channel]!]}`
  )
  return html`<span class="strip" role="img" aria-label=${parts.join(', ') || words.noChannel}>
    ${CHANNELS.map(
      channel =>
        html`<span
          data-state=${states[channel] ?? 'none'}
          title=${
            states[channel] ? `${words.channels[channel]}: ${words.channelStates[states[channel]]}` : nothing
          }
          >${states[channel] ? channelIcon(channel) : nothing}</span
        >`
    )}
  </span>`
}

// The state of a send in one word, what each channel did, and why, from its record.

import type { ChannelExplanation, DeliveryState, SendRecord } from '../api/sends.ts'
import { words } from '../words.ts'
import { channelName, isChannel, type Channel, type ChannelState } from './channel.ts'
import type { State } from './status.ts'
import { formatAgo } from './time.ts'

const CHANNEL_STATES: Readonly<Record<DeliveryState, ChannelState | undefined>> = {
  discarded: 'discarded',
  failed: 'failed',
  held: 'waiting',
  scheduled: 'waiting',
  sent: 'sent',
  unknown: undefined,
  waiting: 'waiting'
}

/** What each channel did, for the strip. */
export function toStrip({ channels }: SendRecord): Readonly<Partial<Record<Channel, ChannelState>>> {
  const strip: Partial<Record<Channel, ChannelState>> = {}
  for (const { channel, state } of channels) {
    const shown = CHANNEL_STATES[state]
    if (isChannel(channel) && shown) strip[channel] = shown
  }
  return strip
}

/** What has failed counts first, then what waits. */
export function toSendState({ channels, status }: SendRecord): State {
  const has = (...states: readonly DeliveryState[]): boolean =>
    channels.some(({ state }) => states.includes(state))
  if (has('failed')) return 'failed'
  if (has('waiting', 'held')) return 'waiting'
  if (has('scheduled')) return 'scheduled'
  if (has('sent')) return 'sent'
  if (has('discarded')) return 'discarded'
  return status === 'failure' ? 'failed' : status === 'received' ? 'waiting' : 'discarded'
}

export function toChannelState({ clickedAt, openedAt, receipts, state }: ChannelExplanation): State {
  if (state === 'sent') {
    if (clickedAt) return 'clicked'
    if (openedAt) return 'opened'
    if (receipts?.some(({ outcome }) => outcome === 'delivered' || outcome === 'answered')) return 'delivered'
    return 'sent'
  }
  if (state === 'held') return 'waiting'
  return state === 'unknown' ? 'discarded' : state
}

const writeTime = (at: string): string =>
  formatAgo(at).replace(/^(?:Tomorrow|Yesterday|Just)/, word => word.toLowerCase())

/** With the name of the channel as the page writes it. */
const toNamed = ({ channel, explanation }: ChannelExplanation): string =>
  explanation.replace(channel, channelName(channel)).replaceAll(ISO, writeTime)

const ISO = /\d{4}-\d\d-\d\dT[\d:.]+Z/g

/** `EMAIL: the provider …` without the name of the channel, which stands beside it, and with times as the page writes them. */
export const withoutChannel = ({ channel, explanation }: ChannelExplanation): string =>
  explanation.replace(new RegExp(`^${channel}(?:: | )`), '').replaceAll(ISO, writeTime)

/** The same as a sentence. */
export function toSentence(channel: ChannelExplanation): string {
  const text = withoutChannel(channel)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** The channel whose story explains the state of the send. */
export function toWhy(record: SendRecord): string {
  const { channels, messages } = record
  for (const wanted of ['failed', 'waiting', 'held', 'scheduled', 'discarded'] as const) {
    const found = channels.find(({ state }) => state === wanted)
    if (found) return toNamed(found)
  }
  return channels.length > 0 ? words.everyChannel : (messages[0] ?? '')
}

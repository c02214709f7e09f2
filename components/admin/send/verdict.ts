// The summary of a send in one or two sentences: how many channels got through, and what became of the others.

import { html, nothing, type TemplateResult } from 'lit'

import type { ChannelExplanation, SendRecord } from '../api/sends.ts'
import { CHANNELS, channelName } from '../view/channel.ts'
import { formatSeconds } from '../view/time.ts'
import { sendWords } from '../words/send.ts'

const ISO = /\d{4}-\d\d-\d\dT[\d:.]+Z/g

/** `EMAIL: the provider …` without the name of the channel, which stands before it, and with times as the page writes them. */
export const withoutChannel = ({ channel, explanation }: ChannelExplanation): string =>
  explanation.replace(new RegExp(`^${channel}(?:: | )`), '').replaceAll(ISO, formatSeconds)

export function renderVerdict(send: SendRecord): TemplateResult {
  const { channels, messages } = send
  const through = channels.filter(({ state }) => state === 'sent').length
  const tried = channels.filter(({ state }) => state !== 'discarded').length
  const unused = CHANNELS.filter(channel => !channels.some(one => one.channel === channel))
  const others = channels.filter(({ state }) => state !== 'sent')
  return html`<div>
    <p class="verdict">
      <b>${sendWords.through(through, tried)}</b>${' '}
      ${others.map(channel => html`${channelName(channel.channel)} ${withoutChannel(channel)} `)}
      ${unused.length > 0 && channels.length > 0 ? sendWords.unused(unused.map(channelName)) : nothing}
    </p>
    ${messages
      .filter(message => !channels.some(({ explanation }) => explanation === message))
      .map(message => html`<p class="muted">${message}</p>`)}
  </div>`
}

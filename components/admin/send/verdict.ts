// The summary of a send in one or two sentences: how many channels got through, and what became of the others.

import { html, nothing, type TemplateResult } from 'lit'

import type { SendRecord } from '../api/sends.ts'
import { CHANNELS, channelName } from '../view/channel.ts'
import { withoutChannel } from '../view/send-state.ts'
import { sendWords } from '../words/send.ts'

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

// What people would have read on a phone, heard in a call or seen in a chat: as a bubble, with what it came to.

import { segmentsOf } from '../sms-call/segments.ts'
import { html, type Html } from './html.ts'
import type { SandboxMessage } from './sandbox.sql.ts'

const NAMES: Readonly<Record<string, string>> = { CALL: 'Call', SLACK: 'Slack', SMS: 'SMS' }

/** Shown as a bubble instead of a sheet. */
export const isTalk = ({ channel }: SandboxMessage): boolean => channel in NAMES

export const titleOf = ({ channel, message }: SandboxMessage): string =>
  `${NAMES[channel] ?? channel} to ${String(message['to'] ?? '')}`

/** What a list says of it. */
export const kindOf = ({ channel }: SandboxMessage): string => NAMES[channel] ?? channel

const HEARD = html`<svg viewBox="0 0 20 20" aria-hidden="true">
  <path d="M3.5 8v4h2.75L10 15.25V4.75L6.25 8zM12.75 7.5a3.5 3.5 0 0 1 0 5M14.75 5.25a6.5 6.5 0 0 1 0 9.5" />
</svg>`

/** How it would have been counted, or spoken. */
function cost({ channel, message }: SandboxMessage, text: string): string {
  if (channel === 'CALL') return `spoken in ${String(message['language'] ?? '')}, ${text.length} characters`
  if (channel !== 'SMS') return ''
  const { count, encoding } = segmentsOf(text)
  return `${count} ${count === 1 ? 'segment' : 'segments'}, ${encoding}`
}

export function bubbleOf(kept: SandboxMessage): Html {
  const text = String(kept.message['text'] ?? '')
  const pictures = (kept.message['mediaUrls'] ?? []) as readonly string[]
  const under = cost(kept, text)
  return html`<figure class="talk ${kept.channel.toLowerCase()}">
    <blockquote class="bubble">
      ${kept.channel === 'CALL' && HEARD}
      <p>${text || '(no text)'}</p>
      ${pictures.map(address => html`<a href="${address}" target="_blank" rel="noopener noreferrer">${address}</a>`)}
    </blockquote>
    ${under !== '' && html`<figcaption>${under}</figcaption>`}
  </figure>`
}

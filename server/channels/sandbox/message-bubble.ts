// Shows a text message, call or Slack message as the bubble that its recipient would see.

import { html, type Html } from '../../core/html.ts'
import { countSegments } from '../../core/sms-segments.ts'
import type { SandboxMessage } from './sandbox.sql.ts'

const CHANNEL_NAMES: Readonly<Record<string, string>> = { CALL: 'Call', SLACK: 'Slack', SMS: 'SMS' }

export const isBubble = ({ channel }: SandboxMessage): boolean => channel in CHANNEL_NAMES

export const bubbleTitle = (message: SandboxMessage): string =>
  `${channelName(message)} to ${String(message.message['to'] ?? '')}`

export const channelName = ({ channel }: SandboxMessage): string => CHANNEL_NAMES[channel] ?? channel

const SPEAKER_ICON = html`<svg viewBox="0 0 20 20" aria-hidden="true">
  <path d="M3.5 8v4h2.75L10 15.25V4.75L6.25 8zM12.75 7.5a3.5 3.5 0 0 1 0 5M14.75 5.25a6.5 6.5 0 0 1 0 9.5" />
</svg>`

/** Returns the size for which a provider would charge, or `''`. */
function describeSize({ channel, message }: SandboxMessage, text: string): string {
  if (channel === 'CALL') return `spoken in ${String(message['language'] ?? '')}, ${text.length} characters`
  if (channel !== 'SMS') return ''
  const { count, encoding } = countSegments(text)
  return `${count} ${count === 1 ? 'segment' : 'segments'}, ${encoding}`
}

export function renderBubble(stored: SandboxMessage): Html {
  const text = String(stored.message['text'] ?? '')
  const mediaUrls = (stored.message['mediaUrls'] ?? []) as readonly string[]
  const caption = describeSize(stored, text)
  return html`<figure class="talk ${stored.channel.toLowerCase()}">
    <blockquote class="bubble">
      ${stored.channel === 'CALL' && SPEAKER_ICON}
      <p>${text || '(no text)'}</p>
      ${mediaUrls.map(url => html`<a href="${url}" target="_blank" rel="noopener noreferrer">${url}</a>`)}
    </blockquote>
    ${caption !== '' && html`<figcaption>${caption}</figcaption>`}
  </figure>`
}

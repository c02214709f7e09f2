// A message of the sandbox: a row of the list, and as its recipient would see it.

import { html, type TemplateResult } from 'lit'

import type { SandboxMessage } from '../api/sandbox.ts'
import { renderContent } from '../send/frames.ts'
import { channelIcon, channelName } from '../view/channel.ts'
import { ARROW, icon } from '../view/icons.ts'
import { renderTime } from '../view/time.ts'
import { sandboxWords as text } from '../words/sandbox.ts'

const describe = ({ message, subject, text: plain, title }: SandboxMessage): string =>
  subject ?? title ?? message ?? plain ?? ''

export const renderMessageRow = (
  message: SandboxMessage,
  isChosen: boolean,
  onChoose: () => void
): TemplateResult =>
  html`<li data-id=${message.id} class=${isChosen ? 'chosen' : ''}>
    <button type="button" aria-current=${isChosen ? 'true' : 'false'} @click=${onChoose}>
      ${channelIcon(message.channel)}<span class="grow"
        ><b class="block clip">${describe(message)}</b
        ><span class="muted block clip">${message.userId}, ${message.type}</span></span
      >${renderTime(message.date)}
    </button>
  </li>`

/** Fields that a frame shows, with the texts alone. */
const toFields = (message: SandboxMessage): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(message).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  )

export function renderMessage(message: SandboxMessage, sendUrl: string): TemplateResult {
  const { channel, date, to = [], type, userId } = message
  const recipients = [to].flat().filter(one => typeof one === 'string')
  return html`<figure aria-live="polite">
    <figcaption>
      ${channelIcon(channel, 'small')}<span>${channelName(channel)}</span
      ><span class="muted clip">${text.kept(recipients.join(', ') || userId)}</span>
    </figcaption>
    <div class="frame">
      ${renderContent(channel, toFields(message), { received_at: date, type, user_id: recipients[0] ?? userId })}
    </div>
    <p class="frame-foot"><a class="link" href=${sendUrl}>${text.why}${icon(ARROW, 'small mirror')}</a></p>
  </figure>`
}

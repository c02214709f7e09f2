// Questions before dead letters are sent again or discarded: they say how many.

import { html, nothing } from 'lit'

import type { DeadLetterCause } from '../api/dead-letters.ts'
import { channelName } from '../view/channel.ts'
import { askDialog } from '../view/dialog.ts'
import { icon, WARNING } from '../view/icons.ts'
import { formatCount } from '../view/number.ts'
import { deadLetterWords } from '../words/dead-letters.ts'

const text = deadLetterWords

/** Of those that are chosen, or of the whole cause. */
const toCount = (cause: DeadLetterCause, chosen: number): string =>
  chosen > 0 ? String(chosen) : formatCount(cause)

export async function askRedrive(cause: DeadLetterCause, chosen: number): Promise<boolean> {
  const count = toCount(cause, chosen)
  const values = await askDialog({
    body: () =>
      html`<p>
          ${text.redriveWhy(channelName(cause.channel))} <span class="mono">${cause.code}</span>.
          ${text.redriveKeeps}
        </p>
        ${
          text.isHopeless(cause.code)
            ? html`<div class="note" data-tone="warning">
                ${icon(WARNING)}
                <p>${text.hopeless}</p>
              </div>`
            : nothing
        }`,
    confirm: text.redriveConfirm(count),
    title: text.redriveTitle(count, formatCount(cause))
  })
  return values !== undefined
}

export async function askDrop(cause: DeadLetterCause, chosen: number): Promise<boolean> {
  const count = toCount(cause, chosen)
  const values = await askDialog({
    body: () => text.dropWhy,
    confirm: text.dropConfirm(count),
    title: text.dropTitle(count, formatCount(cause)),
    tone: 'destroy'
  })
  return values !== undefined
}

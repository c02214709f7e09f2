// A cause of dead letters: a plain name, the code with advice, and inside it the letters and two orders.

import { html, nothing, type TemplateResult } from 'lit'

import type { DeadLetterCause, DeadLetter } from '../api/dead-letters.ts'
import { channelIcon, channelName } from '../view/channel.ts'
import { renderSkeletonRows } from '../view/feedback.ts'
import { DOWN, icon, RETRY, TRASH } from '../view/icons.ts'
import { formatCount } from '../view/number.ts'
import { renderId, renderPerson } from '../view/status.ts'
import { formatAgo, formatSeconds, renderTime } from '../view/time.ts'
import { deadLetterWords } from '../words/dead-letters.ts'

const text = deadLetterWords

export interface OpenCause {
  readonly letters: readonly DeadLetter[] | undefined
  readonly hasMore: boolean
  readonly chosen: ReadonlySet<string>
}

export interface CauseActions {
  readonly canOrder: boolean
  pageUrl(page: string): string
  onToggle(cause: DeadLetterCause, isOpen: boolean): void
  onChoose(ids: readonly string[], isChosen: boolean): void
  onMore(): void
  onRedrive(cause: DeadLetterCause): void
  onDrop(cause: DeadLetterCause): void
}

const checked = (event: Event): boolean => (event.target as HTMLInputElement).checked

function renderLetter(letter: DeadLetter, { chosen }: OpenCause, actions: CauseActions): TemplateResult {
  const { attempts, diedAt, id, to, trackingId, type, userId } = letter
  return html`<tr role="row">
    <td role="cell" class="c-box">
      <input
        type="checkbox"
        aria-label=${text.choose(userId)}
        .checked=${chosen.has(id)}
        @change=${(event: Event) => actions.onChoose([id], checked(event))}
      />
    </td>
    <td role="cell">${renderPerson(userId)}</td>
    <td role="cell">
      ${
        trackingId
          ? html`<a class="link mono" href=${actions.pageUrl(`sends/${trackingId}#${letter.channel}`)}
              >${type ?? trackingId}</a
            >`
          : html`<span class="mono">${type ?? ''}</span>`
      }
    </td>
    <td role="cell" class="muted to">${to ?? ''}</td>
    <td role="cell" class="number">${attempts}</td>
    <td role="cell" class="number">${renderTime(diedAt, formatSeconds(diedAt))}</td>
    <td role="cell" class="number">${trackingId ? renderId(trackingId) : nothing}</td>
  </tr>`
}

function renderLetters(cause: DeadLetterCause, open: OpenCause, actions: CauseActions): TemplateResult {
  const { chosen, hasMore, letters = [] } = open
  const ids = letters.map(({ id }) => id)
  const areAll = ids.length > 0 && ids.every(id => chosen.has(id))
  const count = chosen.size > 0 ? String(chosen.size) : formatCount(cause)
  const detail = letters.find(one => one.detail)?.detail
  return html`<div class="cause-body">
    ${detail ? html`<code class="said">${detail}</code>` : nothing}
    <div class="card">
      <table class="table letters" role="table">
        <thead role="rowgroup">
          <tr role="row">
            <td role="cell" class="c-box">
              <input
                type="checkbox"
                aria-label=${text.chooseAll}
                .checked=${areAll}
                @change=${(event: Event) => actions.onChoose(ids, checked(event))}
              />
            </td>
            ${text.columns.map(
              ([name, isNumber]) =>
                html`<th role="columnheader" scope="col" class=${isNumber ? 'number' : ''}>${name}</th>`
            )}
          </tr>
        </thead>
        <tbody role="rowgroup">
          ${open.letters ? letters.map(letter => renderLetter(letter, open, actions)) : renderSkeletonRows(['s', 'm', 'm', 'l', 's', 's', 'm'], 3)}
        </tbody>
      </table>
      <div class="card-foot">
        <span>${text.shown(letters.length, formatCount(cause))}</span>
        ${
          hasMore
            ? html`<button type="button" class="button quiet" @click=${() => actions.onMore()}>
                ${text.more}
              </button>`
            : nothing
        }
        ${
          actions.canOrder
            ? html`<span class="actions end"
                ><button type="button" class="button risky" @click=${() => actions.onDrop(cause)}>
                  ${icon(TRASH, 'small')}${text.drop(count)}</button
                ><button type="button" class="button main" @click=${() => actions.onRedrive(cause)}>
                  ${icon(RETRY, 'small')}${text.redrive(count)}
                </button></span
              >`
            : nothing
        }
      </div>
    </div>
  </div>`
}

/** @param open - undefined if the cause is folded */
export function renderCause(
  cause: DeadLetterCause,
  open: OpenCause | undefined,
  actions: CauseActions
): TemplateResult {
  const { channel, code, firstDiedAt, lastDiedAt } = cause
  return html`<details
    class="cause"
    ?open=${open !== undefined}
    @toggle=${(event: Event) => actions.onToggle(cause, (event.target as HTMLDetailsElement).open)}
  >
    <summary>
      ${channelIcon(channel)}
      <span
        ><b class="block">${text.nameOf(channel, code)}</b
        ><span class="muted"
          >${channelName(channel)}, <span class="mono">${code}</span>. ${text.adviceOf(code)}</span
        ></span
      ><span class="cause-count">${formatCount(cause)}<span class="sr"> ${text.letters}</span></span
      ><span class="muted cause-last">${renderTime(lastDiedAt)}</span
      ><span class="muted cause-first">${renderTime(firstDiedAt, formatAgo(firstDiedAt))}</span
      >${icon(DOWN, 'small')}
    </summary>
    ${open ? renderLetters(cause, open, actions) : nothing}
  </details>`
}

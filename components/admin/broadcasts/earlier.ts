// The table of broadcasts that have ended.

import { html, nothing, type TemplateResult } from 'lit'

import { canRetract, isBeingRetracted, type Broadcast } from '../api/broadcasts.ts'
import { renderBlank } from '../view/feedback.ts'
import { renderHeadings } from '../view/headings.ts'
import { BROADCAST, FAILURE, icon, STOP, SUCCESS, UNDO } from '../view/icons.ts'
import { renderTime } from '../view/time.ts'
import { broadcastWords as text } from '../words/broadcasts.ts'
import { nameAudience, nameBroadcast } from './draft.ts'

function renderState(one: Broadcast): TemplateResult {
  const { done, error, retraction, state } = one
  if (isBeingRetracted(one) || retraction?.state === 'done')
    return html`<span class="status" data-tone="muted"
      >${icon(UNDO, 'small')}${isBeingRetracted(one) ? text.states.retracting : text.states.retracted}</span
    >`
  if (state === 'stopped')
    return html`<span class="status" data-tone="muted"
      >${icon(STOP, 'small')}${text.states.stopped(done)}</span
    >`
  return state === 'failed'
    ? html`<span class="status" data-tone="bad" title=${error ?? ''}
        >${icon(FAILURE, 'small')}${text.states.failed}</span
      >`
    : html`<span class="status" data-tone="good">${icon(SUCCESS, 'small')}${text.states.done}</span>`
}

export interface EarlierOptions {
  /** Returns the address of the sends of a type. */
  sendsUrl(type: string): string
  /** Absent: nobody who looks may retract. */
  readonly onRetract?: ((broadcast: Broadcast) => void) | undefined
}

export function renderEarlier(
  broadcasts: readonly Broadcast[],
  { onRetract, sendsUrl }: EarlierOptions
): TemplateResult {
  if (broadcasts.length === 0) return renderBlank(BROADCAST, text.empty, text.emptyWhy)
  return html`<table class="table hovers stacks" role="table">
    ${renderHeadings(onRetract ? text.columnsWithActions : text.columns)}
    <tbody role="rowgroup">
      ${broadcasts.map(
        one =>
          html`<tr role="row">
            <td role="cell">
              <a class="cover" href=${sendsUrl(String(one.send['type']))}><b>${nameBroadcast(one)}</b></a>
            </td>
            <td role="cell" class="mono muted">${nameAudience(one.to, text.kinds.everyone.toLowerCase())}</td>
            <td role="cell">${text.reached(one.done, one.leftOut)}</td>
            <td role="cell">${renderState(one)}</td>
            <td role="cell" class="muted nowrap">${renderTime(one.endedAt ?? one.createdAt)}</td>
            ${
              onRetract
                ? html`<td role="cell" class="number">
                    ${
                      canRetract(one)
                        ? html`<button
                            type="button"
                            class="button over"
                            aria-label=${text.retractLabel(nameBroadcast(one))}
                            @click=${() => onRetract(one)}
                          >
                            ${text.retract}
                          </button>`
                        : nothing
                    }
                  </td>`
                : nothing
            }
          </tr>`
      )}
    </tbody>
  </table>`
}

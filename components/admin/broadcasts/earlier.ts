// The table of broadcasts that have ended.

import { html, type TemplateResult } from 'lit'

import type { Broadcast } from '../api/broadcasts.ts'
import { renderBlank } from '../view/feedback.ts'
import { renderHeadings } from '../view/headings.ts'
import { BROADCAST, FAILURE, icon, STOP, SUCCESS } from '../view/icons.ts'
import { renderTime } from '../view/time.ts'
import { broadcastWords as text } from '../words/broadcasts.ts'
import { nameAudience, nameBroadcast } from './draft.ts'

function renderState({ done, error, state }: Broadcast): TemplateResult {
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

/** @param sendsUrl - address of the sends of a type */
export function renderEarlier(
  broadcasts: readonly Broadcast[],
  sendsUrl: (type: string) => string
): TemplateResult {
  if (broadcasts.length === 0) return renderBlank(BROADCAST, text.empty, text.emptyWhy)
  return html`<table class="table hovers stacks" role="table">
    ${renderHeadings(text.columns)}
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
          </tr>`
      )}
    </tbody>
  </table>`
}

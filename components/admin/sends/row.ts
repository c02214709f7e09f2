// A row of the log, and the heading of a minute.

import { html, nothing, type TemplateResult } from 'lit'

import type { SendRecord } from '../api/sends.ts'
import { renderStrip } from '../view/channel.ts'
import { toSendState, toStrip, toWhy } from '../view/send-state.ts'
import { renderId, renderPerson, renderStatus } from '../view/status.ts'
import { formatAgo, formatClock, formatDay, formatSeconds, renderTime } from '../view/time.ts'
import { sendsWords } from '../words/sends.ts'

const MINUTE_MS = 60_000

const minuteOf = ({ received_at }: SendRecord): number => Math.floor(Date.parse(received_at) / MINUTE_MS)

/** `Today, 09:42`, then `09:41`; another day with its date. */
function renderMinute(record: SendRecord, before: SendRecord | undefined): TemplateResult | typeof nothing {
  if (before && minuteOf(before) === minuteOf(record)) return nothing
  const at = new Date(record.received_at)
  const isSameDay = before && new Date(before.received_at).toDateString() === at.toDateString()
  const isToday = at.toDateString() === new Date().toDateString()
  const day = isSameDay ? '' : `${isToday ? sendsWords.today : formatDay(at)}, `
  return html`<tr class="gap" role="row">
    <td role="cell" colspan="7">${day}${formatClock(at)}</td>
  </tr>`
}

export interface RowOptions {
  readonly before: SendRecord | undefined
  readonly isChosen: boolean
  readonly isNew: boolean
  readonly href: string
}

export function renderRow(record: SendRecord, { before, href, isChosen, isNew }: RowOptions): TemplateResult {
  const { received_at, trackingId, type, user_id } = record
  return html`${renderMinute(record, before)}
    <tr role="row" data-id=${trackingId} ?data-new=${isNew} class=${isChosen ? 'chosen' : ''}>
      <td role="cell" class="x-time">${renderTime(received_at, formatSeconds(received_at))}</td>
      <td role="cell" class="x-status">${renderStatus(toSendState(record))}</td>
      <td role="cell" class="x-type"><a class="cover mono" href=${href}>${type}</a></td>
      <td role="cell" class="x-user">${renderPerson(user_id)}</td>
      <td role="cell" class="x-channels">${renderStrip(toStrip(record))}</td>
      <td role="cell" class="x-why muted" title=${toWhy(record)}>${toWhy(record)}</td>
      <td role="cell" class="x-id">${renderId(trackingId)}</td>
    </tr>`
}

/** Where a page ends. */
export const pageEnd = (records: readonly SendRecord[]): string => {
  const last = records.at(-1)
  return last ? formatAgo(last.received_at) : ''
}

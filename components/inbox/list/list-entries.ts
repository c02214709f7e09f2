// The entries of a list: its rows, and a heading before the first row of each day.

import type { Notif } from '../../protocol/index.ts'
import { getFormats, startOfDay } from '../base/formats.ts'
import type { InboxView, UndoLine } from '../base/inbox-view.ts'
import type { ListView, Tab } from '../base/select-rows.ts'
import type { RowState } from '../item/item.ts'

export type ListEntry =
  | (RowState & { readonly key: string })
  | { readonly key: string; readonly day: string; readonly isNew: boolean }
  | { readonly key: string; readonly line: UndoLine }

type Place = { readonly item: Notif; readonly line?: UndoLine; readonly index: number }

/** The list is newest first, and that of snoozed notifications has the one first that comes back first. */
const isBelow = (one: Notif, other: Notif, tab: Tab): boolean =>
  tab === 'snoozed' ? (one.snoozedUntil ?? '') > (other.snoozedUntil ?? '') : one.date < other.date

/** Rows, and the lines of rows that left where these were. A line about a row that is back stands above it. */
function mergeLines(rows: readonly Notif[], lines: readonly UndoLine[], tab: Tab): readonly Place[] {
  const places: Place[] = rows.map((item, index) => ({ index, item }))
  for (const line of lines) {
    const { item } = line
    if (!item) continue
    const at = places.findIndex(
      place => !place.line && (place.item.id === item.id || isBelow(place.item, item, tab))
    )
    places.splice(at === -1 ? places.length : at, 0, { index: -1, item, line })
  }
  return places
}

// Dates are ISO texts, which compare without being parsed.
export function createListEntries(
  { first, rows, total = -1 }: ListView,
  { arrived, host, isUnread, lookLine, messages, now, tab, undoing }: InboxView
): readonly ListEntry[] {
  const today = startOfDay(now).toISOString()
  const yesterday = startOfDay(now, 1).toISOString()
  // In the language of the texts for the other days.
  const formats = getFormats(host.language.messagesLang)
  const entries: ListEntry[] = []
  const headingCounts = new Map<string, number>()
  let lastDay: string | undefined
  let hasNew = false
  for (const { index, item, line } of mergeLines(rows, undoing.lines?.all ?? [], tab)) {
    const { date, id } = item
    const isSinceLook = tab === 'all' && lookLine.isAfter(item)
    hasNew ||= isSinceLook
    const earlier = hasNew ? messages.earlierToday : messages.today
    const day = isSinceLook
      ? messages.newSection
      : date >= today
        ? earlier
        : date >= yesterday
          ? formats.yesterday()
          : messages.earlier
    // Snoozed rows are in the order of their return, and a page may give its rows in any order.
    if (day !== lastDay && date && tab !== 'snoozed') {
      const count = headingCounts.get(day) ?? 0
      headingCounts.set(day, count + 1)
      entries.push({ day, isNew: isSinceLook, key: `day ${day} ${count}` })
    }
    lastDay = day
    if (line) entries.push({ key: `undo ${line.key}`, line })
    else
      entries.push({
        isNew: arrived.has(id),
        isSinceLook,
        isUnread: isUnread(item),
        item,
        key: id,
        position: first + index + 1,
        size: total
      })
  }
  return entries
}

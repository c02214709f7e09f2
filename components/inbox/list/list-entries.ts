// The entries of a list: its rows, and a heading before the first row of each day.

import { getFormats, startOfDay } from '../base/formats.ts'
import type { InboxView } from '../base/inbox-view.ts'
import type { ListView } from '../base/select-rows.ts'
import type { RowState } from '../item/item.ts'

export type ListEntry = (RowState & { readonly key: string }) | { readonly key: string; readonly day: string }

// Dates are ISO texts, which compare without being parsed.
export function createListEntries(
  { first, rows, total = -1 }: ListView,
  { arrived, host, isUnread, messages, now }: InboxView
): readonly ListEntry[] {
  const today = startOfDay(now).toISOString()
  const yesterday = startOfDay(now, 1).toISOString()
  // In the language of the texts for the other days.
  const formats = getFormats(host.language.messagesLang)
  const entries: ListEntry[] = []
  let lastDay: string | undefined
  for (const [index, item] of rows.entries()) {
    const { date, id } = item
    const day = date >= today ? messages.today : date >= yesterday ? formats.yesterday() : messages.earlier
    if (day !== lastDay && date) entries.push({ day, key: `day ${day}` })
    lastDay = day
    entries.push({
      isNew: arrived.has(id),
      isUnread: isUnread(item),
      item,
      key: id,
      position: first + index + 1,
      size: total
    })
  }
  return entries
}

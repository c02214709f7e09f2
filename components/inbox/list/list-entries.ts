// The entries of a list: its rows, and a heading before the first row of each day.

import type { Messages } from '../../messages/en.ts'
import type { Notif, NotifId } from '../../protocol/index.ts'
import { getFormats, startOfDay } from '../base/formats.ts'
import type { ListView } from '../base/select-rows.ts'
import type { RowState } from '../item/item.ts'

export type ListEntry = (RowState & { readonly key: string }) | { readonly key: string; readonly day: string }

interface Context {
  readonly arrived: ReadonlySet<NotifId>
  readonly host: { readonly language: { readonly messagesLang: string } }
  readonly messages: Pick<Messages, 'earlier' | 'today'>
  readonly now: number
  readonly isUnread: (item: Notif) => boolean
}

// Dates are ISO texts, which compare without being parsed.
export function createListEntries(
  { first, rows, total = -1 }: ListView,
  { arrived, host, isUnread, messages, now }: Context
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

// What stands in a list, one below the other: rows, and before the first row of a day what day it is.

import type { Messages } from '../../messages/en.ts'
import type { Notif, NotifId } from '../../protocol/index.ts'
import type { ClockController } from '../clock.ts'
import { formatsOf, startOfDay } from '../formats.ts'
import type { Seen } from '../read-state.ts'
import type { Answer } from './select-rows.ts'

export interface RowState {
  readonly item: Notif
  readonly unread: boolean
  /** Came live a moment ago. */
  readonly fresh: boolean
  /** From 1. */
  readonly position: number
  /** -1: nobody knows. */
  readonly size: number
}

export type Entry = (RowState & { readonly key: string }) | { readonly key: string; readonly day: string }

interface Around {
  readonly arrived: ReadonlySet<NotifId>
  readonly clock: Pick<ClockController, 'now'>
  readonly host: { readonly language: { readonly messagesLang: string } }
  readonly seen: Pick<Seen, 'isUnread'>
  readonly words: Pick<Messages, 'earlier' | 'today'>
}

// Dates are ISO texts, so they compare without being parsed: a thousand rows cost nothing.
export function entries(
  { first, rows, total = -1 }: Answer,
  { arrived, clock, host, seen, words }: Around
): readonly Entry[] {
  const today = startOfDay(clock.now).toISOString()
  const yesterday = startOfDay(clock.now, 1).toISOString()
  // In the language of the other two.
  const formats = formatsOf(host.language.messagesLang)
  const list: Entry[] = []
  let last: string | undefined
  for (const [index, item] of rows.entries()) {
    const { date, id } = item
    const day = date >= today ? words.today : date >= yesterday ? formats.yesterday() : words.earlier
    if (day !== last && date) list.push({ day, key: `day ${day}` })
    last = day
    const position = first + index + 1
    list.push({ fresh: arrived.has(id), item, key: id, position, size: total, unread: seen.isUnread(item) })
  }
  return list
}

// Which notifications a tab and a page show. Pure, so that it can be reasoned about without a page.

import type { Filter } from '../../core/inbox-element.ts'
import { callSafely } from '../../core/safe-call.ts'
import type { Counts, Notif } from '../../protocol/index.ts'

export type Tab = 'all' | 'unread' | 'archived'

interface Question {
  readonly items: readonly Notif[]
  readonly counts: Counts
  /** Older ones exist on the server. */
  readonly more: boolean
  readonly filter: Filter
  readonly tab: Tab
  readonly isUnread: (item: Notif) => boolean
  /** Opened ones that still look unread. */
  readonly fresh: number
  /** Undefined: no pages, everything in one list. */
  readonly pageSize: number | undefined
  /** From 0. */
  readonly page: number
}

export interface Answer {
  /** What is shown now. */
  readonly rows: readonly Notif[]
  /** Position of the first of them in its tab, from 0. */
  readonly first: number
  /** How many the tab has; undefined where nobody can know before all are loaded. */
  readonly total: number | undefined
  /** Loading more could bring more of this tab. */
  readonly more: boolean
  /** Rows are missing on this page and could be loaded. */
  readonly short: boolean
  readonly page: number
  /** How many pages, as far as is known. */
  readonly pages: number
  readonly unread: number
}

/** `ALL` offers the archived ones in their own tab, so no list mixes both. */
export const tabsOf = (filter: Filter): readonly Tab[] =>
  filter === 'ALL' ? ['all', 'unread', 'archived'] : ['all', 'unread']

export function answer(question: Question): Answer {
  const { counts, filter, fresh, isUnread, items, pageSize, tab } = question
  const custom = typeof filter === 'function'
  // What cannot be judged is shown: nothing gets lost.
  const base = custom ? items.filter(item => callSafely(true, filter, item)) : items
  const unread = custom ? base.filter(isUnread).length : counts.unopened + fresh
  const inTab = {
    all: (item: Notif) => custom || !item.archived,
    archived: (item: Notif) => Boolean(item.archived),
    unread: isUnread
  }[tab]
  const found = base.filter(inTab)

  const exact = custom ? undefined : { all: counts.unarchived, archived: undefined, unread }[tab]
  const more = question.more && (exact === undefined || found.length < exact)
  const total = more ? exact : found.length

  // Without pages all is on the first.
  const size = pageSize ?? Infinity
  const pages = Math.max(1, Math.ceil((total ?? found.length + 1) / size))
  const page = Math.min(question.page, pages - 1)
  const first = page && page * size
  const rows = found.slice(first, first + size)
  const short = more && rows.length < Math.min(pageSize ?? 1, (total ?? Infinity) - first)
  return { first, more, page, pages, rows, short, total, unread }
}

/** Page numbers to offer; `undefined` stands for a gap. */
export function pageNumbers(page: number, pages: number): readonly (number | undefined)[] {
  if (pages <= 6) return Array.from({ length: pages }, (_, index) => index)
  const near = page > pages - 3 ? [pages - 3, pages - 2] : [page - 1, page, page + 1]
  const middle = page < 2 ? [1, 2] : near
  return [
    0,
    ...(middle[0]! > 1 ? [undefined] : []),
    ...middle,
    ...(middle.at(-1)! < pages - 2 ? [undefined] : []),
    pages - 1
  ]
}

// Selects the notifications that a tab and a page show. Pure functions.

import { callSafely } from '../../core/safe-call.ts'
import type { Counts, Notif } from '../../protocol/index.ts'
import type { Filter } from './inbox-element.ts'

/** A number: position of a tab of the page, from 0. */
export type Tab = 'all' | 'unread' | 'archived' | 'snoozed' | number

interface ListQuery {
  readonly items: readonly Notif[]
  /** What a tab with a view of its own shows, before the filter. */
  readonly viewItems?: readonly Notif[] | undefined
  readonly counts: Counts
  /** The server has older notifications. */
  readonly hasOlder: boolean
  readonly filter: Filter
  /** What unread means. */
  readonly fact: 'read' | 'seen'
  readonly tab: Tab
  readonly isUnread: (item: Notif) => boolean
  /** Number of notifications that the server knows as opened and that still look unread. */
  readonly newlyOpenedCount: number
  /** Undefined: no pages. */
  readonly pageSize: number | undefined
  /** From 0. */
  readonly page: number
}

export interface ListView {
  readonly rows: readonly Notif[]
  /** Position of the first row in its tab, from 0. */
  readonly first: number
  /** Number of notifications in the tab; undefined if it is unknown until all are loaded. */
  readonly total: number | undefined
  /** Loading more may add rows to this tab. */
  readonly hasMore: boolean
  /** The page lacks rows that could be loaded. */
  readonly isShort: boolean
  readonly page: number
  /** Number of pages, as far as it is known. */
  readonly pageCount: number
  readonly unreadCount: number
}

/** `ALL` shows archived notifications in a tab of their own, so no list mixes both. */
export const selectTabs = (filter: Filter): readonly Tab[] =>
  filter === 'ALL' ? ['all', 'unread', 'archived'] : ['all', 'unread']

export function selectRows(query: ListQuery): ListView {
  const { counts, fact, filter, isUnread, items, newlyOpenedCount, pageSize, tab } = query
  const isCustom = typeof filter === 'function'
  // If the filter throws, the item is shown, so that no notification gets lost.
  const filtered = isCustom ? items.filter(item => callSafely(true, filter, item)) : items
  const unread = fact === 'seen' ? (counts.unseen ?? counts.unopened) : counts.unopened
  const unreadCount = isCustom ? filtered.filter(isUnread).length : unread + newlyOpenedCount
  const isShown = ({ archived, snoozedUntil }: Notif): boolean => !snoozedUntil && (isCustom || !archived)
  const isInTab = tab === 'archived' ? (item: Notif) => item.archived : tab === 'unread' ? isUnread : isShown
  const ownItems = query.viewItems?.filter(item => !isCustom || callSafely(true, filter, item))
  const found = ownItems ?? filtered.filter(isInTab)

  const exact = isCustom
    ? undefined
    : tab === 'unread'
      ? unreadCount
      : { all: counts.unarchived, snoozed: counts.snoozed }[tab as string]
  const hasMore = query.hasOlder && (exact === undefined || found.length < exact)
  const total = hasMore ? exact : found.length

  const size = pageSize ?? Infinity
  const pageCount = Math.max(1, Math.ceil((total ?? found.length + 1) / size))
  const page = Math.min(query.page, pageCount - 1)
  const first = page && page * size
  const rows = found.slice(first, first + size)
  const isShort = hasMore && rows.length < Math.min(pageSize ?? 1, (total ?? Infinity) - first)
  return { first, hasMore, isShort, page, pageCount, rows, total, unreadCount }
}

// The public atoms of an inbox. All derive from one value, so counters and list are always of the same moment.

import { computed, onMount, type ReadableAtom } from 'nanostores'

import type { Counts, InboxChange, Notif } from '../protocol/index.ts'
import type { InboxStore, Loading } from './types.ts'

export interface InboxState {
  readonly counts: Counts
  readonly loading: Loading
  /** Newest first. */
  readonly notifications: readonly Notif[]
}

// Frozen, as everything that a page reads: adapters of some frameworks write into values, and a rollback would fail then.
export const NO_COUNTS: Counts = Object.freeze({ snoozed: 0, unarchived: 0, unopened: 0, unseen: 0 })
export const NO_NOTIFICATIONS: readonly Notif[] = Object.freeze([])

type InboxAtoms = Pick<
  InboxStore,
  '$counts' | '$loading' | '$notifications' | '$snoozed' | '$unarchived' | '$unopened' | '$unseen'
>

/** @param mount - starts what keeps the state current, and returns the function that ends it; `isList`: the list is needed, not only counters */
export function createInboxAtoms(
  $state: ReadableAtom<InboxState>,
  mount: (isList: boolean) => () => void
): InboxAtoms {
  const select = <T>(read: (state: InboxState) => T, isList = false): ReadableAtom<T> => {
    const $selected = computed($state, read)
    onMount($selected, () => mount(isList))
    return $selected
  }
  return {
    $counts: select(({ counts }) => counts),
    $loading: select(({ loading }) => loading, true),
    $notifications: select(({ notifications }) => notifications, true),
    $snoozed: select(({ counts }) => counts.snoozed),
    $unarchived: select(({ counts }) => counts.unarchived),
    $unopened: select(({ counts }) => counts.unopened),
    $unseen: select(({ counts }) => counts.unseen)
  }
}

/** Notifications after `version` that the user has neither opened, archived nor snoozed, oldest first; one that resurfaces has a new date. */
export const findNew = (version: number, { items }: Pick<InboxChange, 'items'>): readonly Notif[] =>
  items.filter(
    ({ archived, date, opened, snoozedUntil }) =>
      Date.parse(date) > version && !opened && !archived && !snoozedUntil
  )

// The public atoms of an inbox, all derived from one value: a listener never reads counters of one moment beside a list of another.

import { computed, onMount, type ReadableAtom } from 'nanostores'

import type { Counts, Notif } from '../protocol/index.ts'
import type { InboxStore, Loading } from './types.ts'

export interface InboxState {
  readonly counts: Counts
  readonly loading: Loading
  /** Newest first. */
  readonly notifications: readonly Notif[]
}

// Frozen, as everything that a page reads: adapters of some frameworks write into values, and no update could be undone then.
export const NO_COUNTS: Counts = Object.freeze({ unarchived: 0, unopened: 0 })
export const NO_NOTIFICATIONS: readonly Notif[] = Object.freeze([])

type InboxAtoms = Pick<InboxStore, '$counts' | '$loading' | '$notifications' | '$unarchived' | '$unopened'>

/** @param mount - starts what keeps the state current, and returns what ends it; `isList`: more than counters is needed */
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
    $unarchived: select(({ counts }) => counts.unarchived),
    $unopened: select(({ counts }) => counts.unopened)
  }
}

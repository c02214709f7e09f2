// Derives what a store shows from the confirmed inbox and the optimistic updates. An unchanged value stays the same object, so
// that nothing is rendered again.

import { computed, type ReadableAtom } from 'nanostores'

import type { Counts, Notif } from '../../protocol/index.ts'
import type { InboxState } from '../inbox-state.ts'
import type { Loading } from '../types.ts'
import { applyUpdatesToCounts, applyUpdatesToList, type OptimisticUpdate } from './optimistic.ts'
import { listNewestFirst, type Inbox } from './reducer.ts'
import type { LoadRequest } from './sync.ts'

interface Sources {
  readonly $inbox: ReadableAtom<Inbox>
  readonly $updates: ReadableAtom<readonly OptimisticUpdate[]>
  readonly $request: ReadableAtom<LoadRequest>
}

export const isSameList = (one: readonly Notif[], other: readonly Notif[]): boolean =>
  one.length === other.length && one.every((item, index) => item === other[index])

const isSameCounts = (one: Counts, other: Counts): boolean =>
  one.unopened === other.unopened &&
  one.unarchived === other.unarchived &&
  one.unseen === other.unseen &&
  one.snoozed === other.snoozed

const toLoading = (request: LoadRequest, { next }: Inbox): Loading =>
  request.state === 'ready' ? { more: next !== undefined, state: 'ready' } : request

const isSameLoading = (one: Loading, other: Loading): boolean =>
  one === other || (one.state === 'ready' && other.state === 'ready' && one.more === other.more)

export function compareBy<T>(
  $value: ReadableAtom<T>,
  isSame: (one: T, other: T) => boolean
): ReadableAtom<T> {
  $value.eq = (one, other) => one !== undefined && isSame(one as T, other as T)
  return $value
}

export function selectState({ $inbox, $updates, $request }: Sources): ReadableAtom<InboxState> {
  const $counts = compareBy(
    computed([$inbox, $updates], (inbox, updates) => Object.freeze(applyUpdatesToCounts(inbox, updates))),
    isSameCounts
  )
  const $loading = compareBy(
    computed([$request, $inbox], (request, inbox) => Object.freeze(toLoading(request, inbox))),
    isSameLoading
  )
  const $notifications = compareBy(
    computed([$inbox, $updates], (inbox, updates) =>
      Object.freeze(applyUpdatesToList(inbox, listNewestFirst(inbox), updates))
    ),
    isSameList
  )
  return computed([$counts, $loading, $notifications], (counts, loading, notifications) => ({
    counts,
    loading,
    notifications
  }))
}

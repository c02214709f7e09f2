// What is read of an inbox: made of what the server confirmed and of what the person did meanwhile. As long as it says the
// same it is the same object.

import type { Counts, Notif } from '../../protocol/index.ts'
import type { Loading } from '../types.ts'
import { memo } from './memo.ts'
import { patched, patchedCounts, type Pending } from './optimistic.ts'
import type { Inbox } from './reducer.ts'
import type { Request } from './sync.ts'

export interface Known {
  readonly inbox: Inbox
  readonly pending: readonly Pending[]
  readonly request: Request
}

interface Views {
  counts(): Counts
  loading(): Loading
  notifications(): readonly Notif[]
}

const shown = ({ edge, records }: Inbox, pending: readonly Pending[]): readonly Notif[] =>
  [...records.values()]
    .filter(({ date }) => date >= edge)
    .map(item => patched(item, pending))
    .sort((one, other) => (one.date < other.date ? 1 : -1))

const isSameList = (one: readonly Notif[], other: readonly Notif[]): boolean =>
  one.length === other.length && one.every((item, index) => item === other[index])

const isSameCounts = (one: Counts, other: Counts): boolean =>
  one.unopened === other.unopened && one.unarchived === other.unarchived

const loadingOf = (request: Request, { next }: Inbox): Loading =>
  request.state === 'ready' ? { more: next !== undefined, state: 'ready' } : request

const isSameLoading = (one: Loading, other: Loading): boolean =>
  one === other || (one.state === 'ready' && other.state === 'ready' && one.more === other.more)

export const viewsOf = (known: Known): Views => ({
  counts: memo(() => [known.inbox, known.pending], patchedCounts, isSameCounts),
  loading: memo(() => [known.request, known.inbox], loadingOf, isSameLoading),
  notifications: memo(() => [known.inbox, known.pending], shown, isSameList)
})

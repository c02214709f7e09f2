// The context of a place in the page: a store that also says what is so now, for code that listens to nothing.

import type { Notif, Preferences } from '../protocol/index.ts'
import type { NotifStore, PreferencesState } from '../store/types.ts'

export interface NotifContext extends NotifStore {
  /** As `$notifications` has them now. The first who reads them begins to load them. */
  readonly notifications: readonly Notif[]
  /** As `$preferences` has them now; undefined while they are not known. The first who reads them asks for them. */
  readonly preferences: Preferences | undefined
}

export const known = (state: PreferencesState | undefined): Preferences | undefined =>
  state?.state === 'ready' ? state : undefined

/** Adds the values to the store itself: who compares stores sees one. A copy by `...` leaves them out, and so asks nothing. */
export const contextOf = (store: NotifStore): NotifContext =>
  Object.defineProperties(store, {
    notifications: { configurable: true, get: () => store.$notifications.get() },
    preferences: { configurable: true, get: () => known(store.$preferences.get()) }
  }) as NotifContext

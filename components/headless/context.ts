// A store that also has its values as properties, for code that does not listen. Uses no DOM, because `notif-kit/store` has none.

import type { Notif, Preferences } from '../protocol/index.ts'
import type { NotifStore, PreferencesState } from '../store/types.ts'

export interface NotifContext extends NotifStore {
  /** The value of `$notifications`. The first read starts to load them. */
  readonly notifications: readonly Notif[]
  /** The value of `$preferences`; undefined while they are not loaded. The first read starts to load them. */
  readonly preferences: Preferences | undefined
}

export const readyPreferences = (state: PreferencesState | undefined): Preferences | undefined =>
  state?.state === 'ready' ? state : undefined

/** Adds the values to the store itself, so that it stays the same object. A copy by `...` leaves them out and loads nothing. */
export const toContext = (store: NotifStore): NotifContext =>
  Object.defineProperties(store, {
    notifications: { configurable: true, get: () => store.$notifications.get() },
    preferences: { configurable: true, get: () => readyPreferences(store.$preferences.get()) }
  }) as NotifContext

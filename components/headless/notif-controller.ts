// The headless way in for Lit elements: values that its `render` reads are followed, and verbs.

import type { ReactiveElement } from '@lit/reactive-element'

import { StoreController, type Subscribe } from '../core/store-controller.ts'
import type { Notif, Preferences } from '../protocol/index.ts'
import { lazyFunctions } from '../store/lazy.ts'
import type { NotifStore } from '../store/types.ts'
import { readyPreferences, type NotifContext } from './context.ts'
import { getNotifContext } from './notif-context.ts'

const VERBS = [
  'loadMore',
  'markAsArchived',
  'markAsClicked',
  'markAsOpened',
  'markAsUnarchived',
  'markAsUnopened',
  'reload',
  'reloadPreferences',
  'setWebPushOptIn',
  'updateDeliveries',
  'updateDelivery'
] as const satisfies readonly (keyof NotifStore)[]

/** What a Lit element knows of its place. A value that its `render` reads is followed from then on; others cost nothing. */
export interface HostContext extends Pick<NotifContext, (typeof VERBS)[number] | 'getClient'> {
  /** With the nanostores; undefined until there is one. */
  readonly store: NotifStore | undefined
  /** Newest first; empty until they are loaded. */
  readonly notifications: readonly Notif[]
  /** Undefined until they are loaded; the first read loads them. */
  readonly preferences: Preferences | undefined
  /** The server's counters. */
  readonly unopened: number
  readonly unarchived: number
}

const follow =
  (name: '$notifications' | '$preferences' | '$unarchived' | '$unopened'): Subscribe =>
  (store, changed) => [store[name].listen(changed)]

const FOLLOW = {
  notifications: follow('$notifications'),
  preferences: follow('$preferences'),
  unarchived: follow('$unarchived'),
  unopened: follow('$unopened')
}

/** In a Lit element: the context of its place. What is done before there is a store waits for it. */
export function useNotifContext(host: ReactiveElement): HostContext {
  const source = new StoreController(host, () => [])
  const found = (): NotifStore | Promise<NotifStore> => source.store ?? getNotifContext(host)
  const followed = (name: keyof typeof FOLLOW): NotifStore | undefined => {
    source.add(FOLLOW[name])
    return source.store
  }
  return {
    ...lazyFunctions(found, VERBS),
    getClient: () => lazyFunctions(async () => (await found()).getClient(), ['identify']),
    get notifications() {
      return followed('notifications')?.$notifications.get() ?? []
    },
    get preferences() {
      return readyPreferences(followed('preferences')?.$preferences.get())
    },
    get store() {
      return source.store
    },
    get unarchived() {
      return followed('unarchived')?.$unarchived.get() ?? 0
    },
    get unopened() {
      return followed('unopened')?.$unopened.get() ?? 0
    }
  }
}

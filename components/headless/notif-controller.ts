// A context for Lit elements of the page: values that render the element again when they change, and actions.

import type { ReactiveElement } from '@lit/reactive-element'

import { StoreController, type Subscribe } from '../core/store-controller.ts'
import type { Notif, Preferences } from '../protocol/index.ts'
import { lazyFunctions } from '../store/lazy.ts'
import type { NotifStore } from '../store/types.ts'
import { readyPreferences, type NotifContext } from './context.ts'
import { getNotifContext } from './notif-context.ts'

const ACTIONS = [
  'act',
  'digest',
  'loadMore',
  'markAsArchived',
  'markAsClicked',
  'markAsOpened',
  'markAsSeen',
  'markAsUnarchived',
  'markAsUnopened',
  'mute',
  'pause',
  'reload',
  'reloadPreferences',
  'reply',
  'setWebPushOptIn',
  'snooze',
  'undo',
  'unsnooze',
  'updateDeliveries',
  'updateDelivery',
  'updateSettings',
  'updateTopic'
] as const satisfies readonly (keyof NotifStore)[]

/** The context of a Lit element. The first read of a value subscribes to it: changes render the element again. */
export interface HostContext extends Pick<NotifContext, (typeof ACTIONS)[number] | 'getClient'> {
  /** Undefined until it is loaded. */
  readonly store: NotifStore | undefined
  /** Newest first; empty until they are loaded. */
  readonly notifications: readonly Notif[]
  /** Undefined until they are loaded; the first read loads them. */
  readonly preferences: Preferences | undefined
  /** The server's counters. */
  readonly unopened: number
  readonly unarchived: number
  readonly unseen: number
  readonly snoozed: number
}

const createSubscribe =
  (
    name: '$notifications' | '$preferences' | '$snoozed' | '$unarchived' | '$unopened' | '$unseen'
  ): Subscribe =>
  (store, changed) => [store[name].listen(changed)]

const SUBSCRIPTIONS = {
  notifications: createSubscribe('$notifications'),
  preferences: createSubscribe('$preferences'),
  snoozed: createSubscribe('$snoozed'),
  unarchived: createSubscribe('$unarchived'),
  unopened: createSubscribe('$unopened'),
  unseen: createSubscribe('$unseen')
}

/** Returns the context of a Lit element: of its closest provider, or of the document. Actions wait until it has a store. */
export function useNotifContext(host: ReactiveElement): HostContext {
  const source = new StoreController(host, () => [])
  const findStore = (): NotifStore | Promise<NotifStore> => source.store ?? getNotifContext(host)
  const subscribe = (name: keyof typeof SUBSCRIPTIONS): NotifStore | undefined => {
    source.add(SUBSCRIPTIONS[name])
    return source.store
  }
  return {
    ...lazyFunctions(findStore, ACTIONS),
    getClient: () => lazyFunctions(async () => (await findStore()).getClient(), ['identify']),
    get notifications() {
      return subscribe('notifications')?.$notifications.get() ?? []
    },
    get preferences() {
      return readyPreferences(subscribe('preferences')?.$preferences.get())
    },
    get store() {
      return source.store
    },
    get snoozed() {
      return subscribe('snoozed')?.$snoozed.get() ?? 0
    },
    get unarchived() {
      return subscribe('unarchived')?.$unarchived.get() ?? 0
    },
    get unopened() {
      return subscribe('unopened')?.$unopened.get() ?? 0
    },
    get unseen() {
      return subscribe('unseen')?.$unseen.get() ?? 0
    }
  }
}

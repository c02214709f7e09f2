// What a store offers and what it needs: one user's inbox as read-only nanostores and a few verbs. No DOM.

import type { ReadableAtom } from 'nanostores'

import type { Channel, Choice, Counts, Delivery, Notif, NotifId, Preferences } from '../protocol/index.ts'
import type { Environment } from './environment.ts'
import type { Address, Identity, Transport } from './transport.ts'

/** A ready transport, or the address from which one is made. */
export type StoreConfig = {
  /** Notifications in a page, 1..1000. Default: 50. */
  readonly pageSize?: number | undefined
  /** How long a hidden page stays connected, in milliseconds; Infinity: always. Default: 60,000. */
  readonly hiddenTimeout?: number | undefined
  /** Clock, timers and signals of the page. Default: those of the browser or of Node. */
  readonly environment?: Partial<Environment> | undefined
} & (({ readonly transport: Transport } & Partial<Address>) | ({ readonly transport?: undefined } & Address))

/** State of the list. `more` says whether older notifications exist. */
export type Loading =
  | { readonly state: 'busy' }
  | { readonly state: 'failed'; readonly error: unknown }
  | { readonly state: 'ready'; readonly more: boolean }

/** `idle`: without listeners. `refused`: wrong credentials, no further attempts. */
export type Connection =
  | { readonly state: 'idle' | 'connecting' | 'online' | 'offline' }
  | { readonly state: 'refused'; readonly title: string; readonly detail: string }

/** `busy` and `failed` only while nothing is known: what was read stays while it is read again. */
export type PreferencesState =
  | { readonly state: 'busy' }
  | { readonly state: 'failed'; readonly error: unknown }
  | ({ readonly state: 'ready' } & Preferences)

/**
 * How an action ended that was not refused. `left`: the store was destroyed before the server had answered. Unless the user
 * is forgotten, what the browser keeps is sent by its next page. Else it has no value: the server has it.
 */
export type Outcome = 'left' | void

/** The inbox of a store. */
export interface InboxStore {
  /** Newest first, also those that are archived, with the person's unconfirmed actions already applied. */
  readonly $notifications: ReadableAtom<readonly Notif[]>
  /** The server's counters less what the person has just done. */
  readonly $counts: ReadableAtom<Counts>
  readonly $unopened: ReadableAtom<number>
  readonly $unarchived: ReadableAtom<number>
  readonly $loading: ReadableAtom<Loading>
  readonly $connection: ReadableAtom<Connection>

  /** Milliseconds since 1970 by the clock of this store's server, as far as it is known. */
  now(): number
  /**
   * Loads the next, older page. Resolves also when that fails: `$loading` says so.
   *
   * @param least - as many if a page has fewer, up to 1,000
   */
  loadMore(least?: number): Promise<void>
  /** Tries again after `$loading` failed, or loads anew. Resolves also when that fails: `$loading` says so. */
  reload(): Promise<void>
  // Actions show at once. Each rejects with a TransportError when the server refuses it; what it had changed is rolled
  // back by then. While the server cannot be reached they wait, also for the next page of this browser, and are sent once.
  // Where the browser keeps nothing, one that does not reach the server is refused. One that still waits when the store is
  // destroyed resolves with `left`.

  /** Everything up to now counts as opened, loaded or not. */
  markAsOpened(ids?: readonly NotifId[]): Promise<Outcome>
  markAsUnopened(ids: readonly NotifId[]): Promise<Outcome>
  /** A notification that is clicked also counts as opened. */
  markAsClicked(id: NotifId): Promise<Outcome>
  markAsArchived(ids: 'ALL' | readonly NotifId[]): Promise<Outcome>
  markAsUnarchived(ids: readonly NotifId[]): Promise<Outcome>
  /**
   * This browser's answer to whether it shall show notifications. `true` asks the browser for its permission, so call it
   * in a click. Rejects when the browser knows no web push, or the server is not reached.
   */
  setWebPushOptIn(on: boolean): Promise<void>
  getClient(): { identify(identity: Identity): Promise<void> }
  /**
   * Called with the notifications that arrived live, never with those of a page or a catch-up after a start. It connects
   * nothing: listen to `$unopened` beside it where nothing else does.
   */
  onNewNotifications(listener: (notifications: readonly Notif[]) => void): () => void
  /**
   * Called with the TransportError of an action that an earlier page of this browser left behind and the server refuses
   * now; what it had changed is rolled back by then. Returns the function that ends it.
   */
  onRefused(listener: (error: unknown) => void): () => void
  /**
   * Ends the connection and forgets everything in this page.
   *
   * @param options.forget - the user leaves: also what this browser keeps of him, and the stores of his other pages end.
   *   Default: false
   */
  destroy(options?: { readonly forget?: boolean }): void
}

/** The preferences of a store. */
export interface PreferenceStore {
  /**
   * What reaches the user by which channel and how often. Read at the first listener, and again when the connection
   * comes back, the page is seen again, another tab or device changes something, or a type comes for the first time.
   */
  readonly $preferences: ReadableAtom<PreferencesState>
  /**
   * Chooses how often a type comes on a channel.
   *
   * @param type - notificationId
   * @param subNotificationId - of which the choice is about this one alone
   */
  updateDelivery(
    type: string,
    channel: Channel,
    delivery: Delivery,
    subNotificationId?: string
  ): Promise<Outcome>
  /** As `updateDelivery` for several, which are kept or taken back together. */
  updateDeliveries(choices: readonly Choice[]): Promise<Outcome>
  /** Reads the preferences again. Resolves also when that fails: `$preferences` says so. */
  reloadPreferences(): Promise<void>
}

export interface NotifStore extends InboxStore, PreferenceStore {}

// The public types of a store: the inbox of one user as read-only nanostores, and actions. No DOM.

import type { ReadableAtom } from 'nanostores'

import type { Counts, Instant, Notif, NotifId } from '../protocol/index.ts'
import type { Environment } from './environment.ts'
import type { Outcome, PreferenceStore } from './preference-types.ts'
import type { Address, Identity, Transport, ViewName } from './transport.ts'

export type * from './preference-types.ts'
export type { ViewName } from './transport.ts'

/** A transport, or the address of the server to create one. */
export type StoreConfig = {
  /** Notifications of one page, 1..1000. Default: 50. */
  readonly pageSize?: number | undefined
  /** How long a hidden page stays connected, in milliseconds; may be Infinity. Default: 60,000. */
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

/** Limits an action on all notifications. */
export interface Scope {
  /** Only notifications of these types. Default: all types. */
  readonly types?: readonly string[] | undefined
  /** Only notifications from this version on, in milliseconds since 1970. Default: all. */
  readonly from?: number | undefined
}

/** An action that `undo` takes back. */
export interface Undoable {
  /** Another one for each action. */
  readonly key: string
  readonly action:
    | 'archive'
    | 'archive-all'
    | 'digest'
    | 'mute'
    | 'pause'
    | 'read'
    | 'read-all'
    | 'snooze'
    | 'unarchive'
    | 'unread'
  /** The notifications that it changed; empty for `pause`. */
  readonly ids: readonly NotifId[] | 'ALL'
  /** Number of notifications that it changed, as far as the counters show it. */
  readonly count: number
  /** End of a snooze or of a pause; null: until the user ends it. */
  readonly until?: Instant | null
  /** The type of `mute` and `digest`. */
  readonly type?: string
}

export interface ViewQuery {
  readonly view: ViewName
  /** Only notifications of these types. Default: all types. */
  readonly types?: readonly string[] | undefined
  /** Also notifications of the types that have one of these tags. */
  readonly tags?: readonly string[] | undefined
  /** Notifications to load at once, 0..1000; 0 reads only the number. Default: the page size of the store. */
  readonly initialItems?: number | undefined
}

/** A part of the inbox, such as a tab. It keeps the connection open until it is closed. */
export interface View {
  /** Newest first; snoozed ones by the end of the snooze, soonest first. Actions of the user are applied, as in `$notifications`. */
  readonly $items: ReadableAtom<readonly Notif[]>
  /**
   * Exact number of the server with the actions of the user applied, also for notifications that are not loaded: unread ones in
   * `inbox` and `unread`, snoozed ones in `snoozed`. 0 in `archived`, which nobody counts.
   */
  readonly $count: ReadableAtom<number>
  readonly $loading: ReadableAtom<Loading>
  /** Types of the view, with those that have its tags. Undefined: all types, or tags that the server has not resolved yet. */
  readonly $types: ReadableAtom<readonly string[] | undefined>
  /** Loads the next page, or repeats the request that failed. Resolves also if that fails: see `$loading`. */
  loadMore(): Promise<void>
  /** Its atoms change no more. */
  close(): void
}

/** The inbox of a store. */
export interface InboxStore {
  /** Newest first, with archived ones. Actions of the user are applied before the server confirms them. */
  readonly $notifications: ReadableAtom<readonly Notif[]>
  /** The server's counters with the unconfirmed actions of the user applied. */
  readonly $counts: ReadableAtom<Counts>
  readonly $unopened: ReadableAtom<number>
  readonly $unarchived: ReadableAtom<number>
  /** Not seen, opened, archived or snoozed: the number on a badge. */
  readonly $unseen: ReadableAtom<number>
  readonly $snoozed: ReadableAtom<number>
  /** The last action that can be undone, until the next action. */
  readonly $undoable: ReadableAtom<Undoable | undefined>
  readonly $loading: ReadableAtom<Loading>
  readonly $connection: ReadableAtom<Connection>

  /** Milliseconds since 1970 by the server's clock, or by the local one until the server has answered. */
  now(): number
  /**
   * Loads the next older page. Resolves also if that fails: see `$loading`.
   *
   * @param minItems - notifications to load if that is more than a page, up to 1,000
   */
  loadMore(minItems?: number): Promise<void>
  /** Repeats the request that failed, or loads the list again. Resolves also if that fails: see `$loading`. */
  reload(): Promise<void>
  // Actions are shown immediately. Each rejects with a TransportError if the server refuses it, after it was rolled back. If
  // the server cannot be reached, actions wait in the browser's storage, also for the next page, and are sent once. In a browser
  // without storage they reject. Actions that wait when the store is destroyed resolve with `left`.

  /** They were in sight. Changes only the number on the badge, and is not undoable. */
  markAsSeen(ids: readonly NotifId[]): Promise<Outcome>
  /**
   * Marks as read, and as seen.
   *
   * @param ids - default: all notifications up to now, also those that are not loaded
   * @param scope - limits all
   */
  markAsOpened(ids?: readonly NotifId[] | undefined, scope?: Scope): Promise<Outcome>
  /** Marks as unread; they stay seen. */
  markAsUnopened(ids: readonly NotifId[]): Promise<Outcome>
  /** Also marks it as opened. */
  markAsClicked(id: NotifId): Promise<Outcome>
  /** @param scope - limits `'ALL'` */
  markAsArchived(ids: 'ALL' | readonly NotifId[], scope?: Scope): Promise<Outcome>
  markAsUnarchived(ids: readonly NotifId[]): Promise<Outcome>
  /** Hides them until then; after that they arrive again as new. @throws RangeError if `until` is not in the future */
  snooze(ids: readonly NotifId[], until: Date): Promise<Outcome>
  /** Ends the snooze now. */
  unsnooze(ids: readonly NotifId[]): Promise<Outcome>
  /**
   * Turns a type off on each channel on which the user may. Rejects with a RangeError if there is none.
   *
   * @param ids - notifications to archive with it; `undo` restores both
   */
  mute(type: string, ids?: readonly NotifId[]): Promise<Outcome>
  /** Sends a type once a day by email only. Rejects with a RangeError if the user may not choose that. @param ids - as for {@link mute} */
  digest(type: string, ids?: readonly NotifId[]): Promise<Outcome>
  /**
   * Pauses: notifications arrive without a badge, sound or toast, and what would be sent elsewhere waits, except for urgent types.
   * `updateSettings` ends it. Rejects with a RangeError if `until` is not in the future; null: until the user ends it.
   */
  pause(until: Date | null): Promise<Outcome>
  /** Takes the action in `$undoable` back, by an action that is sent after it. */
  undo(): Promise<Outcome>
  openView(query: ViewQuery): View
  /**
   * Presses a button of a notification: marks it as acted on and read, and with `send` the server informs the back end. Sent at
   * once: it rejects with a TransportError also if the server is not reached.
   */
  act(id: NotifId, actionId: string): Promise<Outcome>
  /** Replies to a notification, which also marks it as read. Rejects as {@link act}. */
  reply(id: NotifId, message: string): Promise<Outcome>
  /**
   * Subscribes this browser to web push or unsubscribes it. `true` asks the user for permission, so call it in a click handler.
   * Rejects if the browser does not support web push, or the server is not reached.
   */
  setWebPushOptIn(isOn: boolean): Promise<void>
  getClient(): { identify(identity: Identity): Promise<void> }
  /**
   * Calls the listener with notifications that arrive live, or again (the end of a snooze, an update by the back end), not with
   * those that were loaded. It does not open the connection:
   * also listen to `$unopened` if nothing else does. Returns the function that ends it.
   */
  onNewNotifications(listener: (notifications: readonly Notif[]) => void): () => void
  /**
   * Calls the listener with the TransportError of an action of an earlier page that the server refuses, after the action was
   * rolled back. Returns the function that ends it.
   */
  onRefused(listener: (error: unknown) => void): () => void
  /**
   * Closes the connection and clears the store.
   *
   * @param options.forget - the user signs out: also deletes the data of the user in this browser, and ends the stores of other
   *   pages. Default: false
   */
  destroy(options?: { readonly forget?: boolean }): void
}

export interface NotifStore extends InboxStore, PreferenceStore {}

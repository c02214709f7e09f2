// What a store needs of its transport: commands over HTTP, events over a socket.

import type {
  Choice,
  Counts,
  Delivery,
  InboxChange,
  InboxPage,
  InboxPatch,
  InboxReset,
  Instant,
  NotifId,
  Preferences
} from '../protocol/index.ts'

/** Whose inbox, and where. */
export interface Address {
  readonly clientId: string
  readonly userId: string
  /** base64(HMAC-SHA256(client secret, user id)), made by the back end; not needed where secure mode is off. */
  readonly userHash?: string | undefined
  /** Asked for the hash when it is needed first, instead of `userHash`. */
  readonly auth?: (() => Promise<string>) | undefined
  /** Address of the server, with or without a path. Default: the origin of the page. */
  readonly apiUrl?: string | undefined
  /** Address of the live half; ws: or wss: means plain JSON frames instead of Socket.IO. Default: `apiUrl`. */
  readonly wsUrl?: string | undefined
  /** Address of the service worker, on the origin of the page. Default: `/notif-service-worker.js`. */
  readonly serviceWorkerPath?: string | undefined
}

/** What a store tells the server about its user. */
export interface Identity {
  readonly email?: string | null
  readonly number?: string | null
  readonly timezone?: string | null
  /** Push subscriptions of this browser. */
  readonly webPushTokens?: readonly { readonly sub: object }[]
}

export type LiveEvent =
  /** The socket is open and the server has accepted the credentials. */
  | { readonly type: 'online' }
  /** The socket is closed; the transport reconnects by itself. */
  | { readonly type: 'offline' }
  /** The server does not accept these credentials; the transport has stopped. */
  | { readonly type: 'refused'; readonly title: string; readonly detail: string }
  | { readonly type: 'change'; readonly change: InboxChange }
  | ({ readonly type: 'reset' } & InboxReset)
  /** The preferences have changed, on this device or elsewhere. */
  | { readonly type: 'preferences' }
  /** Heartbeat with the newest version: a store that is behind requests the changes. A greeting mostly has the counters. */
  | { readonly type: 'head'; readonly version: number; readonly counts?: Counts }

/** An action that the server has not answered. */
export interface StoredAction {
  /** The request's Idempotency-Key. */
  readonly key: string
  /** Time of the action, in milliseconds since 1970. */
  readonly at: number
  readonly patch: InboxPatch
  /** Newest mark of each notification when the user acted. A newer one was set elsewhere since. */
  readonly seen: Readonly<Record<NotifId, Instant>>
}

/** Choices that the server has not answered. */
export interface StoredChoices {
  /** The request's Idempotency-Key. */
  readonly key: string
  /** Time of the choice, in milliseconds since 1970. */
  readonly at: number
  readonly choices: readonly Choice[]
  /** What applied to each as the user saw it; null: it was not known. */
  readonly seen: readonly (Delivery | null)[]
}

/**
 * Called with what the user did or chose in another page, and its time in milliseconds since 1970. An empty list: choices of
 * that time are no longer pending there. Undefined: a page that continues another one's actions asks for later actions.
 */
export type OnRemoteChange = (newer: InboxPatch | readonly Choice[] | undefined, at: number) => void

/** What a browser stores of a user from one page to the next. Never rejects: after a failure nothing is stored. */
export interface OfflineCache {
  /** The inbox that was stored last. `next` only says that there is more; it is no cursor. */
  inbox(): Promise<InboxPage | undefined>
  keepInbox(page: InboxPage): Promise<void>
  /** Resolves with whether the action is stored for the next page. Replaces one with the same key. */
  keep(action: StoredAction | StoredChoices): Promise<boolean>
  drop(key: string): Promise<void>
  /** Informs the other pages of an action, so that older pending ones are removed there; or asks them for theirs. */
  readonly tell: OnRemoteChange
  /** Takes over the actions of closed pages and returns them, oldest first. */
  adopt(): Promise<readonly StoredAction[]>
  /** The same of choices. */
  adoptChoices(): Promise<readonly StoredChoices[]>
  /** Deletes everything of this user and informs the other pages. */
  forget(): Promise<void>
  close(): void
}

/** Requests of a page, each with its answer. */
export interface Commands {
  /** @param count - items wanted, 1..1000 */
  page(count: number, cursor?: string): Promise<InboxPage>
  /** Everything after `since`, or a reset when that is too much. */
  changes(since: number): Promise<InboxChange | InboxReset>
  /**
   * Resolves with the change it made (its `prev` and `version` as for any other); rejects with a TransportError.
   *
   * @param key - of what was tried already: the same again is not done twice
   */
  patch(patch: InboxPatch, key?: string): Promise<InboxChange>
  identify(identity: Identity): Promise<void>
  /** Whether this browser shall show notifications: asks it, and tells the server where to push. */
  optIn(on: boolean): Promise<void>
  /** What applies to the user. */
  preferences(): Promise<Preferences>
  /** Stores all of these or, rejecting with a TransportError, none. @param key - as of a patch */
  choose(choices: readonly Choice[], key?: string): Promise<void>
  /**
   * Opens what this browser keeps of the user; undefined: it keeps nothing.
   *
   * @param forgotten - called when another page forgets the user
   * @param overtaken - called with what is done in another page, and when
   */
  kept?(forgotten: () => void, overtaken: OnRemoteChange): Promise<OfflineCache | undefined>
}

export interface Transport extends Commands {
  /**
   * Opens the live connection and keeps it until the returned function is called.
   *
   * @param version - read at every (re)connect, so that the server can send what was missed
   */
  connect(listener: (event: LiveEvent) => void, version: () => number | undefined): () => void
}

// Not randomUUID: pages over plain HTTP do not have it.
export const createIdempotencyKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-')

/** A command that did not succeed. `status` is 0 when the server was not reached. */
export class TransportError extends Error {
  readonly status: number

  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'TransportError'
    this.status = status
  }
}

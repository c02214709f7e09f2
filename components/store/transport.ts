// What a store needs of its transport: commands over HTTP, events over a socket.

import type {
  Choice,
  Counts,
  InboxChange,
  InboxPage,
  InboxPatch,
  InboxReset,
  NotifId,
  Pause,
  Preferences,
  PreferencesPatch
} from '../protocol/index.ts'

/** The user and the server. */
export interface Address {
  readonly clientId: string
  readonly userId: string
  /** base64(HMAC-SHA256(client secret, user id)), computed by your back end; not needed if secure mode is off. */
  readonly userHash?: string | undefined
  /** Called when the hash is needed, instead of `userHash`. */
  readonly auth?: (() => Promise<string>) | undefined
  /** Address of the server, with or without a path. Default: the origin of the page. */
  readonly apiUrl?: string | undefined
  /** Address of the socket; ws: or wss: means plain JSON frames instead of Socket.IO. Default: `apiUrl`. */
  readonly wsUrl?: string | undefined
  /** Address of the service worker, on the origin of the page. Default: `/notif-service-worker.js`. */
  readonly serviceWorkerPath?: string | undefined
}

/** Contact details of a user, which the server stores. */
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
  /** The preferences have changed, on this device or elsewhere. The pause is absent if it is not known. */
  | { readonly type: 'preferences'; readonly pause?: Pause }
  /**
   * Greeting or heartbeat with the newest version: a store that is behind requests the changes. A greeting usually has the counters,
   * and the pause.
   */
  | { readonly type: 'head'; readonly version: number; readonly counts?: Counts; readonly pause?: Pause }

/** An action that the server has not answered. */
export interface StoredAction {
  /** The request's Idempotency-Key. */
  readonly key: string
  /** Time of the action by the local clock, in milliseconds since 1970. Grows with each action of a page. */
  readonly at: number
  /** Version of the inbox that the user saw: the action is later. */
  readonly shownVersion: number
  /** Has `at`, the time by the server's clock, from the first attempt to send it on. */
  readonly patch: InboxPatch
}

/** Choices, or a change of settings, that the server has not answered. */
export interface StoredChoices {
  /** The request's Idempotency-Key. */
  readonly key: string
  /** Time of the choice by the local clock, in milliseconds since 1970. */
  readonly at: number
  /** None if `settings` is present, or while those of `quiet` are not selected. */
  readonly choices: readonly Choice[]
  readonly settings?: PreferencesPatch
  /** Makes a type quiet. Its choices are selected when the preferences are read. */
  readonly quiet?: QuietRequest
}

/** `off`: on no channel. `daily`: by email only, once a day. */
export type Quiet = 'daily' | 'off'

export interface QuietRequest {
  readonly type: string
  readonly quiet: Quiet
  readonly isSelected?: true
}

export interface QuietChoices {
  readonly choices: readonly Choice[]
  /** What the user had chosen instead. */
  readonly before: readonly Choice[]
}

/** Data of a user that a browser stores from one page to the next. Never rejects: after a failure nothing is stored. */
export interface OfflineCache {
  /** The inbox that was stored last. `next` only says that there is more; it is no cursor. */
  readInbox(): Promise<InboxPage | undefined>
  writeInbox(page: InboxPage): Promise<void>
  /** Resolves with whether the action is stored for the next page. Replaces one with the same key. */
  put(action: StoredAction | StoredChoices): Promise<boolean>
  delete(key: string): Promise<void>
  /** Makes the actions of closed pages actions of this page, and returns them, oldest first. */
  claimActions(): Promise<readonly StoredAction[]>
  /** The same for choices. */
  claimChoices(): Promise<readonly StoredChoices[]>
  /** Deletes everything of this user and informs the other pages. */
  forget(): Promise<void>
  close(): void
}

/** `inbox`: neither archived nor snoozed. `unread`: of these, the unopened ones. */
export type ViewName = 'archived' | 'inbox' | 'snoozed' | 'unread'

/** Which notifications a page has. Default: all, newest first. */
export interface PageFilter {
  /** `snoozed`: soonest first. */
  readonly view?: ViewName | undefined
  readonly types?: readonly string[] | undefined
  /** Also the types that have one of these tags. */
  readonly tags?: readonly string[] | undefined
}

/** Unread notifications of types. */
export interface TypeCounts {
  readonly version: number
  /** Number by type. */
  readonly byType: Readonly<Record<string, number>>
  /** Types by tag. */
  readonly tags: Readonly<Record<string, readonly string[]>>
}

/** Requests to the server. */
export interface Commands {
  /** @param count - notifications of the page, 1..1000 */
  getPage(count: number, cursor?: string, filter?: PageFilter): Promise<InboxPage>
  /** Counts the unread notifications of some types, and of the types that have some tags. */
  getTypeCounts(types: readonly string[], tags: readonly string[]): Promise<TypeCounts>
  /** Resolves with all changes after the version `since`, or with a reset if there are too many. */
  getChanges(since: number): Promise<InboxChange | InboxReset>
  /**
   * Resolves with the change that it made.
   *
   * @param key - Idempotency-Key: the server applies a patch with the same key once. Default: a new one
   */
  patch(patch: InboxPatch, key?: string): Promise<InboxChange>
  /**
   * Presses a button with `send`. Resolves with the change that it made. A transport without it has no such buttons.
   *
   * @param key - Idempotency-Key, as for `patch`
   */
  press?(id: NotifId, actionId: string, key?: string): Promise<InboxChange>
  identify(identity: Identity): Promise<void>
  /** Subscribes this browser to web push, which asks the user for permission, or unsubscribes it. */
  setWebPushOptIn(isOn: boolean): Promise<void>
  getPreferences(): Promise<Preferences>
  /** Sets the switches of whole channels, the pause or the quiet hours. @param key - Idempotency-Key, as for `patch` */
  updateSettings(patch: PreferencesPatch, key?: string): Promise<void>
  /** Stores all of the choices or none. @param key - Idempotency-Key, as for `patch` */
  updateDeliveries(choices: readonly Choice[], key?: string): Promise<void>
  /** Leaves a topic, or joins it again. A transport may do it twice. */
  updateTopic(id: string, isMember: boolean): Promise<void>
  /**
   * Opens the offline cache of the user. Resolves with undefined if this browser stores nothing.
   *
   * @param onForgotten - called when another page deleted the data of the user
   */
  openCache?(onForgotten: () => void): Promise<OfflineCache | undefined>
}

export interface Transport extends Commands {
  /**
   * Opens the live connection and keeps it until the returned function is called.
   *
   * @param version - read at every (re)connect, so that the server can send the changes after it
   */
  connect(listener: (event: LiveEvent) => void, version: () => number | undefined): () => void
}

// Not randomUUID: it does not exist in pages over plain HTTP.
export const createIdempotencyKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-')

/** A command failed. `status` is 0 if the server was not reached. */
export class TransportError extends Error {
  readonly status: number

  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'TransportError'
    this.status = status
  }
}

// Users: contact details, devices, export and erasure.

import type { Call, CallOptions } from './call.ts'
import type { JsonLines } from './json-lines.ts'
import type { Instant, PageOptions } from './names.ts'
import type { Task } from './tasks.ts'

export interface PushToken {
  readonly type: 'APN' | 'FCM' | 'apn' | 'fcm'
  readonly token: string
  readonly device: {
    readonly device_id?: string
    readonly app_id?: string
    readonly ad_id?: string
    /** For example `android` or `ios`. */
    readonly platform?: string
    readonly manufacturer?: string
    readonly model?: string
  }
  /** APNs server of an APNs token. Default: `production` is tried first, then `sandbox`. */
  readonly environment?: 'sandbox' | 'production'
}

/** What `PushSubscription.toJSON()` returns in a browser. */
export interface WebPushToken {
  readonly sub: {
    readonly endpoint: string
    readonly keys: { readonly p256dh: string; readonly auth: string }
  }
}

/**
 * Answer of Slack's `oauth.v2.access`, with `access_token` or `incoming_webhook`. The server returns it only without its
 * secrets, as {@link SlackConnection}.
 */
export interface SlackToken {
  readonly access_token?: string
  readonly authed_user?: { readonly id?: string; readonly [field: string]: unknown }
  readonly incoming_webhook?: {
    readonly url: string
    readonly channel?: string
    readonly channel_id?: string
    readonly [field: string]: unknown
  }
  readonly team?: { readonly id?: string; readonly name?: string; readonly [field: string]: unknown } | null
  readonly [field: string]: unknown
}

/** A Slack connection without its secrets. */
export interface SlackConnection {
  readonly ok: true
  readonly authed_user?: { readonly id: string }
  readonly incoming_webhook?: { readonly channel?: string; readonly channel_id?: string }
  readonly team?: { readonly id?: string; readonly name?: string }
}

/** Changes of a user: a missing field stays unchanged, `null` clears it, and devices are added to the stored ones. */
export interface UserDetails {
  readonly email?: string | null
  /** `null`: emails to the address work again. */
  readonly emailBounce?: null
  readonly number?: string | null
  readonly timezone?: string | null
  /** Language tag (BCP 47) that selects the variant of a template. */
  readonly locale?: string | null
  readonly pushTokens?: readonly PushToken[] | null
  readonly webPushTokens?: readonly WebPushToken[] | null
  /** `#name`, `name`, `@name` or a Slack id. Default: the channel of the Slack connection. */
  readonly slackChannel?: string | null
  readonly slackToken?: SlackToken | null
  /** Not nested, at most 25 keys. */
  readonly properties?: Readonly<Record<string, string | number | boolean | null>> | null
}

/** A user. If nothing is stored, only `id` is present. */
export interface User {
  readonly id: string
  readonly email?: string
  /** An email to this address bounced, so no more are sent to it. */
  readonly emailBounce?: {
    readonly address: string
    readonly at: Instant
    /** Status code of RFC 3463, such as 5.1.1, or of SMTP. */
    readonly code: string
    readonly detail: string
  }
  /** E.164. */
  readonly number?: string
  readonly timezone?: string
  readonly locale?: string
  readonly pushTokens?: readonly PushToken[]
  readonly webPushTokens?: readonly WebPushToken[]
  readonly slackChannel?: string
  readonly slackToken?: SlackConnection
  readonly properties?: Readonly<Record<string, string | number | boolean>>
  readonly createdAt?: Instant
  readonly updatedAt?: Instant
  readonly lastSeenTime?: Instant
}

export interface UserSearch extends PageOptions {
  /**
   * Beginning, or all, of an id, email address or phone number; a part of a number begins with its country code. Users found by id
   * come first. Default: all users.
   */
  readonly q?: string
}

export interface UserPage {
  /** Users without their tokens and properties, by id. */
  readonly users: readonly User[]
  /** Cursor of the next page. Absent on the last page. */
  readonly next?: string
}

/** A Slack channel or person. */
export interface SlackPlace {
  readonly id: string
  readonly name: string
}

export interface SlackPlaces {
  readonly channels: readonly SlackPlace[]
  readonly users: readonly SlackPlace[]
  readonly me: SlackPlace
  /** Slack has more than a thousand of them. */
  readonly hasMoreChannels: boolean
  readonly hasMoreUsers: boolean
}

/** One record of a user's export. */
export interface Held {
  /** Kind of the record. */
  readonly table: string
  readonly row: Readonly<Record<string, unknown>>
}

/** Proof of an erasure. It does not name the user. */
export interface Erasure {
  /** Absent if nothing was stored about the user. */
  readonly erasureId?: string
  readonly erasedAt?: Instant
  /** Number of deleted rows by table. */
  readonly removed: Readonly<Record<string, number>>
  /** Number of rows of other users from whose copies (Cc, Bcc) an address of the user was removed, by table. */
  readonly redacted: Readonly<Record<string, number>>
}

/** Deliveries in progress during an erasure. Their providers may still accept them until `until`. */
export interface UnderWay {
  readonly deliveries: number
  readonly until: Instant
}

/** An export or erasure of a user as a task. */
export interface UserTask extends Omit<Task, 'result'> {
  /** Of an export that is done: its size, and until when it can be read. Of an erasure that is done: its proof. */
  readonly result?: {
    readonly bytes?: number
    readonly until?: Instant
    readonly underWay?: UnderWay
  } & Partial<Erasure>
}

/** A user may have millions of rows. */
const ERASE_TIMEOUTS = { attemptTimeout: 130_000, timeout: 150_000 }

export const userCalls = (call: Call, jsonLines: JsonLines) => ({
  /** Stores contact details and devices of a user, merged into what is stored already. */
  identifyUser: (user: UserDetails & { readonly id: string }, options?: CallOptions): Promise<User> => {
    const { id, ...details } = user
    return call({ body: details, method: 'POST', path: ['users', id] }, options)
  },

  /** Returns what is stored about a user. */
  getUser: (userId: string, options?: CallOptions): Promise<User> =>
    call({ method: 'GET', path: ['users', userId] }, options),

  /** Corrects the data of a user. Unlike {@link identifyUser}, it is no visit of the user. */
  updateUser: (userId: string, details: UserDetails, options?: CallOptions): Promise<User> =>
    call({ body: details, method: 'PATCH', path: ['users', userId] }, options),

  /** Lists the users of the environment, or finds some of them. */
  listUsers: (page: UserSearch = {}, options?: CallOptions): Promise<UserPage> =>
    call({ method: 'GET', path: ['users'], query: { ...page } }, options),

  /**
   * Lists where messages for a user with a Slack connection can go: the first thousand channels and people of their Slack.
   *
   * @throws NotifProblem 409 if the user has no Slack connection
   */
  listSlackChannels: (userId: string, options?: CallOptions): Promise<SlackPlaces> =>
    call({ method: 'GET', path: ['users', userId, 'slack', 'channels'] }, options),

  /** Exports everything that is stored about a user, one record after the other, as the records arrive. */
  exportUser: (userId: string, options?: CallOptions): AsyncGenerator<Held, void, undefined> =>
    jsonLines<Held>(['users', userId, 'export'], options),

  /**
   * Deletes everything that is stored about a user, irrevocably. Default time-outs: 130 s for an attempt, 150 s for the call.
   *
   * The server keeps no idempotency key, because the key would be a trace of the user. If the first attempt was cut off,
   * the answer of the second may therefore say that nothing was stored.
   */
  eraseUser: (userId: string, options?: CallOptions): Promise<Erasure & { readonly underWay?: UnderWay }> =>
    call({ method: 'DELETE', path: ['users', userId] }, { ...ERASE_TIMEOUTS, ...options }),

  /**
   * Starts an export or an erasure of a user with many rows, and returns at once. If one of the kind has not ended, returns that one. The
   * task survives restarts of the server.
   */
  createUserTask: (
    userId: string,
    kind: 'export-user' | 'erase-user',
    options?: CallOptions
  ): Promise<UserTask> => call({ body: { kind }, method: 'POST', path: ['users', userId, 'tasks'] }, options),

  /** Lists the exports and erasures of a user: the newest 20, newest first. */
  listUserTasks: (userId: string, options?: CallOptions): Promise<{ readonly tasks: readonly UserTask[] }> =>
    call({ method: 'GET', path: ['users', userId, 'tasks'] }, options),

  getUserTask: (userId: string, taskId: string, options?: CallOptions): Promise<UserTask> =>
    call({ method: 'GET', path: ['users', userId, 'tasks', taskId] }, options),

  /** Ends an export and deletes what it stored. @throws NotifProblem 409 if it is an erasure that began */
  stopUserTask: (userId: string, taskId: string, options?: CallOptions): Promise<UserTask> =>
    call({ method: 'POST', path: ['users', userId, 'tasks', taskId, 'stop'] }, options),

  /** Reads the result of an export, one record after the other. */
  readExport: (
    userId: string,
    taskId: string,
    options?: CallOptions
  ): AsyncGenerator<Held, void, undefined> =>
    jsonLines<Held>(['users', userId, 'tasks', taskId, 'result'], options),

  /** Returns the proof of an earlier erasure. @throws NotifProblem 404 if it does not exist */
  getErasure: (erasureId: string, options?: CallOptions): Promise<Required<Erasure>> =>
    call({ method: 'GET', path: ['erasures', erasureId] }, options)
})

// Users: what they are reached by, and what is held about them.

import type { Ask, CallOptions } from './call.ts'
import type { Lines } from './json-lines.ts'
import type { Instant, PageOptions } from './names.ts'

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
  /** Of an APNs token. */
  readonly environment?: 'sandbox' | 'production'
}

/** As PushSubscription.toJSON() of a browser gives it. */
export interface WebPushToken {
  readonly sub: {
    readonly endpoint: string
    readonly keys: { readonly p256dh: string; readonly auth: string }
  }
}

/** What Slack answers to oauth.v2.access; it needs `access_token` or `incoming_webhook`. Never given out again as a whole. */
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

/** The connection without its secrets. */
export interface SlackConnection {
  readonly ok: true
  readonly authed_user?: { readonly id: string }
  readonly incoming_webhook?: { readonly channel?: string; readonly channel_id?: string }
  readonly team?: { readonly id?: string; readonly name?: string }
}

/** Absent stays as it is, `null` clears, devices are added to those that are known. */
export interface UserDetails {
  readonly email?: string | null
  /** `null`: mail to the address works again. */
  readonly emailBounce?: null
  readonly number?: string | null
  readonly timezone?: string | null
  /** Language tag (BCP 47): which form of a template the user reads. */
  readonly locale?: string | null
  readonly pushTokens?: readonly PushToken[] | null
  readonly webPushTokens?: readonly WebPushToken[] | null
  /** `#name`, `name`, `@name` or an id of Slack. Default: where the connection leads. */
  readonly slackChannel?: string | null
  readonly slackToken?: SlackToken | null
  /** Flat, at most 25 keys. */
  readonly properties?: Readonly<Record<string, string | number | boolean | null>> | null
}

/** Only `id` for a user of whom nothing is stored. */
export interface User {
  readonly id: string
  readonly email?: string
  /** Mail came back from this address, so none is sent there. */
  readonly emailBounce?: {
    readonly address: string
    readonly at: Instant
    /** Of RFC 3463, such as 5.1.1, or of SMTP. */
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

export interface UserPage {
  /** Without their tokens and properties, in an order that means nothing but stays. */
  readonly users: readonly User[]
  readonly next?: string
}

export interface SlackPlace {
  readonly id: string
  readonly name: string
}

export interface SlackPlaces {
  readonly channels: readonly SlackPlace[]
  readonly users: readonly SlackPlace[]
  readonly me: SlackPlace
  /** There are more than a thousand. */
  readonly hasMoreChannels: boolean
  readonly hasMoreUsers: boolean
}

/** One row of what is held about a user. */
export interface Held {
  /** What kind of record it is. */
  readonly table: string
  readonly row: Readonly<Record<string, unknown>>
}

/** Proof that says when and how much, but not whom. */
export interface Erasure {
  /** Absent where there was nothing. */
  readonly erasureId?: string
  readonly erasedAt?: Instant
  /** How many rows went, by table. */
  readonly removed: Readonly<Record<string, number>>
}

/** Deliveries that had begun: their providers may still take them, until this time. Nothing is kept of them. */
export interface UnderWay {
  readonly deliveries: number
  readonly until: Instant
}

/** Somebody may have millions of rows. */
const ERASE = { attemptTimeout: 130_000, timeout: 150_000 }

export const users = (ask: Ask, lines: Lines) => ({
  /** Stores a user's contact details and devices, merged into what is known. */
  identifyUser: (user: UserDetails & { readonly id: string }, options?: CallOptions): Promise<User> => {
    const { id, ...details } = user
    return ask({ body: details, method: 'POST', path: ['users', id] }, options)
  },

  getUser: (userId: string, options?: CallOptions): Promise<User> =>
    ask({ method: 'GET', path: ['users', userId] }, options),

  listUsers: (page: PageOptions = {}, options?: CallOptions): Promise<UserPage> =>
    ask({ method: 'GET', path: ['users'], query: { ...page } }, options),

  /**
   * Where a connected user can be written to: the first thousand channels and people of their Slack.
   *
   * @throws NotifProblem 409 when the user is not connected
   */
  listSlackChannels: (userId: string, options?: CallOptions): Promise<SlackPlaces> =>
    ask({ method: 'GET', path: ['users', userId, 'slack', 'channels'] }, options),

  /** Everything that is held about a user, one record after the other, as it comes in. */
  exportUser: (userId: string, options?: CallOptions): AsyncGenerator<Held, void, undefined> =>
    lines<Held>(['users', userId, 'export'], options),

  /**
   * Deletes everything that is held about a user, for ever. Default times: 130 s for a try, 150 s for all. Again it finds
   * nothing: a key kept to repeat its answer would be a trace of the user. So where a first try was cut off, the answer
   * of the second may say that nothing was there.
   */
  eraseUser: (userId: string, options?: CallOptions): Promise<Erasure & { readonly underWay?: UnderWay }> =>
    ask({ method: 'DELETE', path: ['users', userId] }, { ...ERASE, ...options }),

  /** The proof again. */
  getErasure: (erasureId: string, options?: CallOptions): Promise<Required<Erasure>> =>
    ask({ method: 'GET', path: ['erasures', erasureId] }, options)
})

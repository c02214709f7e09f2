// Users: what they are reached by, and what is held about them.

import type { Ask, CallOptions } from './ask.ts'
import { path, query } from './encode.ts'
import type { Lines } from './lines.ts'
import type { Instant, PageOptions } from './words.ts'

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

/** Absent stays as it is, `null` clears, devices are added to those that are known. */
export interface UserDetails {
  readonly email?: string | null
  readonly number?: string | null
  readonly timezone?: string | null
  readonly pushTokens?: readonly PushToken[] | null
  readonly webPushTokens?: readonly WebPushToken[] | null
  /** Flat, at most 25 keys. */
  readonly properties?: Readonly<Record<string, string | number | boolean | null>> | null
}

/** Only `id` for a user of whom nothing is stored. */
export interface User {
  readonly id: string
  readonly email?: string
  /** E.164. */
  readonly number?: string
  readonly timezone?: string
  readonly pushTokens?: readonly PushToken[]
  readonly webPushTokens?: readonly WebPushToken[]
  readonly properties?: Readonly<Record<string, string | number | boolean>>
  readonly createdAt?: Instant
  readonly updatedAt?: Instant
  readonly lastSeenTime?: Instant
}

export interface UserPage {
  readonly users: readonly User[]
  readonly next?: string
}

export const users = (ask: Ask, lines: Lines) => ({
  /** Stores a user's contact details and devices, merged into what is known. */
  identifyUser: (user: UserDetails & { readonly id: string }, options?: CallOptions): Promise<User> => {
    const { id, ...details } = user
    return ask({ body: details, method: 'POST', path: path('users', id) }, options)
  },

  getUser: (userId: string, options?: CallOptions): Promise<User> =>
    ask({ method: 'GET', path: path('users', userId) }, options),

  listUsers: (page: PageOptions = {}, options?: CallOptions): Promise<UserPage> =>
    ask({ method: 'GET', path: path('users') + query({ ...page }) }, options),

  /** Everything that is held about a user, one record after the other, as it comes in. */
  exportUser: (
    userId: string,
    options?: CallOptions
  ): AsyncGenerator<Readonly<Record<string, unknown>>, void, undefined> =>
    lines(path('users', userId, 'export'), options),

  /** Deletes everything that is held about a user, for ever. */
  eraseUser: async (userId: string, options?: CallOptions): Promise<void> => {
    await ask({ method: 'DELETE', path: path('users', userId) }, options)
  }
})

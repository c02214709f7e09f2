// A user's inbox: its pages, and the marks on its notifications.

import type { Ask, CallOptions } from './call.ts'
import type { Instant, PageOptions } from './names.ts'

/** One in-app notification. Texts are plain text. */
export interface InAppNotification {
  /** Tracking id of its send. */
  readonly id: string
  readonly type: string
  readonly subNotificationId?: string
  readonly title: string
  readonly body?: string
  readonly imageURL?: string
  readonly redirectURL?: string
  /** Unique within one inbox. */
  readonly date: Instant
  /** Unix time in seconds after which it disappears. */
  readonly expDate?: number
  readonly parameters?: Readonly<Record<string, unknown>>
  readonly opened?: Instant
  readonly clicked?: Instant
  readonly archived?: Instant
  readonly actioned1?: Instant
  readonly actioned2?: Instant
  readonly replies?: readonly { readonly date: Instant; readonly message: string }[]
  /** Version of the inbox that last changed it. */
  readonly rev: number
}

export interface InAppCounts {
  /** Neither opened nor archived. */
  readonly unopened: number
  /** Not archived. */
  readonly unarchived: number
}

/** Newest first. */
export interface InAppPage {
  readonly items: readonly InAppNotification[]
  readonly next?: string
  /** Grows with each change of the inbox. */
  readonly version: number
  /** Of the whole inbox. */
  readonly counts: InAppCounts
}

/** An instant sets a mark, `null` clears it, absent it stays. */
export interface InAppUpdate {
  /** Ids that are not the user's are ignored; `'ALL'`: every one. */
  readonly trackingIds: readonly string[] | 'ALL'
  /** With `'ALL'`: up to this version of the inbox. */
  readonly through?: number
  readonly opened?: Instant | null
  readonly clicked?: Instant | null
  readonly archived?: Instant | null
  readonly actioned1?: Instant | null
  readonly actioned2?: Instant | null
  /** Is added to `replies`. Not with `'ALL'`. */
  readonly reply?: { readonly date: Instant; readonly message: string }
}

/** What an update changed. */
export interface InAppChange {
  readonly version: number
  readonly counts: InAppCounts
  /** As they are now. */
  readonly items: readonly InAppNotification[]
}

export const inApp = (ask: Ask) => ({
  /** A page of a user's inbox. `count`: 1 to 1000, default 50. */
  listInApp: (userId: string, page: PageOptions = {}, options?: CallOptions): Promise<InAppPage> =>
    ask({ method: 'GET', path: ['users', userId, 'inbox'], query: { ...page } }, options),

  updateInAppNotification: (
    userId: string,
    update: InAppUpdate,
    options?: CallOptions
  ): Promise<InAppChange> => ask({ body: update, method: 'PATCH', path: ['users', userId, 'inbox'] }, options)
})

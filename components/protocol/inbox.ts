// An inbox and its changes: pages, counters, and the version that shows whether a change is missing.
//
// Every inbox has a `version`: milliseconds since 1970 that never go back and never repeat (the greater of the database's time and
// the last version + 1). It is the date of a new notification, and the `rev` of a change. A client with the inbox at `prev` that
// applies a change `prev -> version` has the inbox at `version`; any other client requests the changes since its own version.

import type { Instant, Mark, Notif, NotifId } from './notif.ts'

/** Counters of the server, which include notifications that are not loaded. */
export interface Counts {
  /** Neither opened nor archived. */
  readonly unopened: number
  /** Not archived. */
  readonly unarchived: number
}

/** Newest first. */
export interface InboxPage {
  readonly items: readonly Notif[]
  /** Cursor of the next, older page; absent at the end. Opaque. */
  readonly next?: string
  readonly version: number
  readonly counts: Counts
}

/** All changes of an inbox after `prev`, up to and with `version`. */
export interface InboxChange {
  readonly prev: number
  readonly version: number
  readonly counts: Counts
  /** New and changed notifications, complete, oldest first. */
  readonly items: readonly Notif[]
  /** Retracted or expired ones. */
  readonly removed: readonly NotifId[]
}

/** There are too many changes, or the server does not have them any more: the client loads the first page again. */
export interface InboxReset {
  readonly reset: true
  readonly version: number
}

/**
 * An action of the user on notifications. An absent mark stays as it is, `null` clears it.
 * `'ALL'` means every notification with a date up to `through`, loaded or not. It keeps marks that are set, and opens or archives
 * only notifications that are not archived.
 */
export type InboxPatch = {
  readonly trackingIds: readonly NotifId[] | 'ALL'
  /** With `'ALL'`: the version that the user saw. Later notifications stay as they are. */
  readonly through?: number
  readonly reply?: { readonly date: Instant; readonly message: string }
} & { readonly [mark in Mark]?: Instant | null }

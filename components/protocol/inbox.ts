// An inbox and its changes: pages, counters and the version that makes loss visible.
//
// Every inbox has one clock, its `version`: milliseconds since 1970 that never go back and never repeat
// (the server takes the greater of its database's time and the last version + 1). A new notification takes
// the version as its date, a change as its `rev`. Whoever knows an inbox as it was at `prev` and applies a
// change `prev -> version` knows it as it is at `version`; anyone else asks for what happened since.

import type { Instant, Mark, Notif, NotifId } from './notif.ts'

/** Exact counters of the server, not of what is loaded. */
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

/** What happened in an inbox after `prev`, up to and with `version`. */
export interface InboxChange {
  readonly prev: number
  readonly version: number
  readonly counts: Counts
  /** New and changed notifications, whole, oldest first. */
  readonly items: readonly Notif[]
  /** Retracted or expired ones. */
  readonly removed: readonly NotifId[]
}

/** Too much happened since (or the server cannot tell any more): load the first page again. */
export interface InboxReset {
  readonly reset: true
  readonly version: number
}

/**
 * A person's action on notifications. An absent mark stays as it is, `null` clears it.
 * `'ALL'` means every notification with a date up to `through`, loaded or not; what has a mark keeps its first time,
 * and opening or archiving all is about what is not archived.
 */
export type InboxPatch = {
  readonly trackingIds: readonly NotifId[] | 'ALL'
  /** With `'ALL'`: the version the person saw, so that what came later stays as it is. */
  readonly through?: number
  readonly reply?: { readonly date: Instant; readonly message: string }
} & { readonly [mark in Mark]?: Instant | null }

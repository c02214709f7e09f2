// An inbox and its changes: pages, counters, and the version that shows whether a change is missing.
//
// Every inbox has a `version`: milliseconds since 1970 that never go back and never repeat (the greater of the database's time and
// the last version + 1). It is the date of a new notification, and the `rev` of a change. A client with the inbox at `prev` that
// applies a change `prev -> version` has the inbox at `version`; any other client requests the changes since its own version.

import type { Instant, Mark, Notif, NotifId } from './notif.ts'

/** Counters of the server, which include notifications that are not loaded. Snoozed ones count only in `snoozed`. */
export interface Counts {
  /** Neither opened nor archived. */
  readonly unopened: number
  /** Not archived. */
  readonly unarchived: number
  /** Neither seen, opened nor archived. */
  readonly unseen: number
  /** Out of the inbox until a time, archived or not. */
  readonly snoozed: number
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
  /** In the answer to a patch of `'ALL'`: the token with which `undo` takes it back. */
  readonly undo?: string
}

/** There are too many changes, or the server does not have them any more: the client loads the first page again. */
export interface InboxReset {
  readonly reset: true
  readonly version: number
}

/**
 * An action of the user on notifications. An absent mark stays as it is, `null` clears it. The server keeps for each mark of each
 * notification the time of its last write, and ignores an older one, so the order of arrival does not matter.
 * `'ALL'` means every notification, loaded or not, archived or not, with a date from `from` to `through`. It keeps marks that are set.
 */
export type InboxPatch = {
  readonly trackingIds: readonly NotifId[] | 'ALL'
  /** When the user acted, by the clock of the server. Absent, or in the future: now. */
  readonly at?: Instant
  /** With `'ALL'`: the version that the user saw. Later notifications stay as they are. */
  readonly through?: number
  /** With `'ALL'`: earlier notifications stay as they are. */
  readonly from?: number
  /** With `'ALL'`: ids of notification types; others stay as they are. */
  readonly types?: readonly string[]
  /** With `'ALL'` and no marks: token of an earlier answer. Takes that action back where nobody wrote since. */
  readonly undo?: string
  /** Takes notifications out of the inbox until then; `null` brings them back at once. */
  readonly snoozedUntil?: Instant | null
  readonly reply?: { readonly date: Instant; readonly message: string }
} & { readonly [mark in Mark]?: Instant | null }

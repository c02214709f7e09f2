// The interface of live updates: modules that commit a change report it here, and connected clients hear of it.

import type { InboxChange } from '#protocol'

import type { UserKey } from './id.ts'

/** What a committed transaction changed in one inbox. */
export interface InboxEvent {
  readonly envId: string
  readonly userId: string
  readonly change: InboxChange
}

export interface LiveUpdates {
  /**
   * Sends changes to connected clients and, as hints, to other nodes. Called after the commit, never inside a transaction; returns
   * at once and never throws. The version of each change restores the order within one inbox.
   */
  publish(events: readonly InboxEvent[]): void
  /**
   * Compares the inboxes of connected users with the database, because a transaction about them failed or its result is unknown.
   * The check may run too early, so the periodic sweep must find the change as well.
   */
  recheck(users: readonly Pick<UserKey, 'envId' | 'userId'>[]): void
  /** Reports changed preferences, after the commit. A client that misses the report reads them when it is visible again. */
  preferencesChanged(user: Pick<UserKey, 'envId' | 'userId'>): void
  /** Open connections of a user to this node. Absent in a process without sockets. */
  connectionCountOf?(user: Pick<UserKey, 'envId' | 'userId'>): number
}

/** Awaits a transaction and, if it fails, rechecks the users that it is about. @throws the error of the transaction */
export async function recheckOnFailure<T>(
  live: Pick<LiveUpdates, 'recheck'>,
  users: Parameters<LiveUpdates['recheck']>[0],
  transaction: Promise<T>
): Promise<T> {
  try {
    return await transaction
  } catch (error) {
    live.recheck(users)
    throw error
  }
}

// The door of the live half: whoever committed a change says so here.

import type { UserKey } from './id.ts'
import type { InboxEvent } from './inbox-event.ts'

export interface LiveUpdates {
  /** After the commit, never inside a transaction; returns at once and never throws. Order within one inbox is repaired by versions. */
  publish(events: readonly InboxEvent[]): void
  /**
   * A commit about these users failed, or its answer was lost and it stands: whoever is connected looks. Not for what holds a
   * promise: a look may come too early, and the sweep comes later.
   */
  recheck(users: readonly Pick<UserKey, 'envId' | 'userId'>[]): void
  /** The preferences of a user have changed; after the commit as well. Whoever misses it reads them when it is seen again. */
  preferencesChanged(user: Pick<UserKey, 'envId' | 'userId'>): void
}

/** What came of a transaction; where that is an error, whom it is about looks. */
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

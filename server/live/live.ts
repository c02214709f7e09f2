// The door of the live half: whoever committed a change says so here.

import type { InboxEvent } from '../inbox/event.ts'
import type { UserKey } from '../users/store.ts'

export interface Live {
  /** After the commit, never inside a transaction; returns at once and never throws. Order within one inbox is repaired by versions. */
  publish(events: readonly InboxEvent[]): void
  /** The preferences of a user have changed; after the commit as well. Whoever misses it reads them when it is seen again. */
  chosen(user: Pick<UserKey, 'envId' | 'userId'>): void
}

// The door of the live half: whoever committed a change says so here.

import type { InboxEvent } from '../inbox/event.ts'

export interface Live {
  /** After the commit, never inside a transaction; returns at once and never throws. Order within one inbox is repaired by versions. */
  publish(events: readonly InboxEvent[]): void
}

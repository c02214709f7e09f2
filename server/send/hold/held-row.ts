// Turns a delivery into a held one: a row of the queue HELD, which knows the queue that it is released into.

import type { ClaimedRow, NewOutboxRow } from '../../queue/outbox.sql.ts'
import type { QueueName } from '../../queue/queues.ts'
import type { Hold } from '../../users/preferences/hold.ts'

/** The field `held` of the body of a held row. It is removed when the row is released. */
export interface HeldDelivery extends Hold {
  readonly queue: QueueName
  /** Of the type when the send was planned. */
  readonly isUrgent: boolean
}

/** Whether a row of the queue FETCH is held afterwards. */
export const isHeld = ({ body }: Pick<ClaimedRow, 'body'>): boolean =>
  (body as { readonly held?: HeldDelivery } | null)?.held !== undefined

/**
 * The row is due at once: its job computes the time anew under a lock, so that a pause which ends at this moment leaves no row
 * behind. Files of an email are fetched at once, because their addresses may expire; then the row is held.
 */
export function holdRow(row: NewOutboxRow, hold: Hold | undefined, isUrgent: boolean): NewOutboxRow {
  if (!hold) return row
  const isFetched = row.queue === 'FETCH'
  const held = { ...hold, isUrgent, queue: isFetched ? 'EMAIL' : row.queue } satisfies HeldDelivery
  return { ...row, body: { ...(row.body as object), held }, queue: isFetched ? 'FETCH' : 'HELD' }
}

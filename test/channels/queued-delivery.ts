// Inserts the outbox row of a delivery, because the sandbox stores nothing for a row that does not exist.

import type { Db } from '../../server/db/db.ts'
import { enqueue } from '../../server/queue/outbox.sql.ts'
import type { QueueName } from '../../server/queue/queues.ts'

interface MadeUp {
  readonly bucket: number
  readonly envId: string
  readonly id: string
  readonly sendId: string
  readonly userId: string
}

export const waiting = (
  db: Db,
  queue: QueueName,
  { bucket, envId, id, sendId, userId }: MadeUp
): Promise<void> =>
  db.of(bucket).sql.begin(tx => enqueue(tx, [{ body: {}, bucket, envId, id, queue, sendId, userId }]))

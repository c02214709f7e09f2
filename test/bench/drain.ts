// How fast a queue drains beside the bare claim and finish: what the loop, its slots and its reports cost.

import { placementHash, uuidv7 } from '../../server/core/id.ts'
import { createLog } from '../../server/core/log.ts'
import type { Db } from '../../server/db/db.ts'
import { finish } from '../../server/queue/finish.sql.ts'
import { openQueues } from '../../server/queue/open-queues.ts'
import { claim, enqueue, type NewOutboxRow } from '../../server/queue/outbox.sql.ts'
import { RECORDS } from '../queue/test-queue.ts'
import { testDb } from '../support/db.ts'
import { median, type Measurement, type Say } from './measure.ts'

/** Of each of the two, in each round. */
const ROWS = 20_000
const BATCH = 500
const ENV = 'bench'

async function fill(db: Db, rows: number): Promise<void> {
  await db.groups[0]!.sql`truncate outbox, attempts`
  for (let n = 0; n < rows; n += 5000) {
    const batch = Array.from({ length: Math.min(5000, rows - n) }, (_, i): NewOutboxRow => {
      const userId = `user-${(n + i) % 1000}`
      const place = placementHash(ENV, userId)
      return {
        body: { notificationId: 'hello', template: null, to: `${userId}@example.com` },
        bucket: place >> 6,
        envId: ENV,
        id: uuidv7(place),
        queue: 'EMAIL',
        sendId: uuidv7(place),
        userId
      }
    })
    await db.groups[0]!.sql.begin(tx => enqueue(tx, batch))
  }
  // VACUUM takes no parameters and no transaction.
  await db.groups[0]!.sql.unsafe('vacuum analyze outbox')
}

const walOf = async (db: Db): Promise<number> => {
  const [row] = await db.control<
    { lsn: number }[]
  >`select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as lsn`
  return row!.lsn
}

/** Claims and finishes in two loops, as the worker keeps two batches in flight. */
async function bare(db: Db): Promise<number> {
  const [group] = db.groups
  const start = performance.now()
  const loop = async (): Promise<number> => {
    let done = 0
    for (;;) {
      const rows = await claim(group!, {
        queue: 'EMAIL',
        leaseMs: 60_000,
        limit: BATCH,
        minRunAt: new Date(0)
      })
      if (rows.length === 0) return done
      await finish(
        group!,
        rows.map(row => ({
          attemptId: uuidv7(Number.parseInt(row.id.slice(-4), 16)),
          queue: 'EMAIL',
          outcome: 'sent',
          row,
          durationMs: 0
        })),
        RECORDS.finishParts
      )
      done += rows.length
    }
  }
  const [one, other] = await Promise.all([loop(), loop()])
  return ((one + other) / (performance.now() - start)) * 1000
}

async function queue(db: Db, rows: number, records: typeof RECORDS = RECORDS): Promise<number> {
  const queues = openQueues(db, { ...records, clock: Date.now, log: createLog('silent') })
  queues.add({
    prefetch: BATCH,
    kind: 'delivery',
    queue: 'EMAIL',
    prepare: () => async () => ({ kind: 'sent' }),
    concurrency: BATCH,
    timeoutMs: 10_000,
    whenUncertain: 'retry'
  })
  const start = performance.now()
  queues.start()
  await queues.idle('EMAIL')
  const seconds = (performance.now() - start) / 1000
  await queues.stop(1000)
  return rows / seconds
}

/**
 * Rows a second through a queue whose channel does nothing.
 *
 * @param records - what is written of each attempt. Default: what the server writes
 */
export async function drainQueue(db: Db, rows: number, records = RECORDS): Promise<number> {
  await fill(db, rows)
  return queue(db, rows, records)
}

/** The two take turns, so that a busy machine is busy for both. */
export async function drain({ rounds }: Say): Promise<Measurement[]> {
  await using t = await testDb()
  const pairs: { ours: number; ceiling: number; wal: number }[] = []
  await drainQueue(t.db, 5000)
  await fill(t.db, 5000)
  await bare(t.db)
  for (let round = 0; round < rounds; round++) {
    await fill(t.db, ROWS)
    const ceiling = await bare(t.db)
    await fill(t.db, ROWS)
    const before = await walOf(t.db)
    const ours = await queue(t.db, ROWS)
    pairs.push({ ceiling, ours, wal: ((await walOf(t.db)) - before) / ROWS })
  }
  return [
    {
      better: 'above',
      ceiling: {
        name: 'bare claim and finish, two in flight',
        value: median(pairs.map(pair => pair.ceiling))
      },
      // Of claim, finish and its line in the log.
      facts: { rows: ROWS, walBytesPerRow: median(pairs.map(pair => pair.wal)) },
      floor: 0.8,
      goal: 0.9,
      name: 'outbox drain',
      ours: median(pairs.map(pair => pair.ours)),
      ratio: median(pairs.map(pair => pair.ours / pair.ceiling)),
      unit: 'rows/s'
    }
  ]
}

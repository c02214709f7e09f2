// GET /queues, for operators: how much each queue has to do, how late it is, and why it is paused.

import type { Db } from '../../db/db.ts'
import { ok, route, type Route } from '../../http/route.ts'
import { readPauses, type QueuePause } from '../pauses/pauses.sql.ts'
import { toWirePause } from '../pauses/wire.ts'
import { QUEUES, type PausedQueue, type Queues } from '../queues.ts'
import { queuesDoc } from './doc.ts'
import { MAX_COUNTED_ROWS, readQueueStatus, type QueueStatus } from './status.sql.ts'

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** Counts that reached their limit are at least that number. */
const toCount = (counts: readonly number[]) => ({
  count: sum(counts),
  isAtLeast: counts.some(count => count >= MAX_COUNTED_ROWS)
})

function toWire(
  queue: string,
  groups: readonly QueueStatus[],
  pauses: readonly PausedQueue[],
  byOperator: QueuePause | undefined
) {
  const ages = groups.flatMap(({ oldestDueSeconds }) => oldestDueSeconds ?? [])
  const [pause] = pauses.toSorted((a, b) => a.since.getTime() - b.since.getTime())
  return {
    queue,
    due: toCount(groups.map(({ due }) => due)),
    later: toCount(groups.map(({ later }) => later)),
    ...(ages.length > 0 && { oldestDueSeconds: Math.max(...ages) }),
    ...(pause && {
      paused: { code: pause.code, since: pause.since.toISOString(), until: pause.until.toISOString() }
    }),
    ...(byOperator && { pausedByOperator: toWirePause(byOperator) })
  }
}

/** Pauses are those of this process; the counts are those of the database, and the same on every node. */
export const queueStatusRoutes = (db: Db, queues: Pick<Queues, 'paused'>): Route[] => [
  route('GET', '/queues', 'admin', queuesDoc, async () => {
    const [groups, pauses] = await Promise.all([
      Promise.all(db.groups.map(group => readQueueStatus(group))),
      readPauses(db.control)
    ])
    const found = groups.flat()
    const paused = queues.paused()
    return ok({
      queues: QUEUES.map(name =>
        toWire(
          name,
          found.filter(({ queue }) => queue === name),
          paused.filter(({ queue }) => queue === name),
          pauses.find(({ queue }) => queue === name)
        )
      )
    })
  })
]

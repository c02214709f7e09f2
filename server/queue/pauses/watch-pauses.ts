// Knows in each worker process which queues an operator has paused: reads the few rows once a second.
//
// A hint between nodes could be lost, so the read is needed in any case; it costs less than the idle poll of one queue.

import type { Clock } from '../../core/clock.ts'
import type { Log } from '../../core/log.ts'
import type { Query } from '../../db/db.ts'
import type { QueueName } from '../queues.ts'
import { readPauses } from './pauses.sql.ts'

const READ_INTERVAL_MS = 1000

export interface PauseWatch {
  /** Whether the queue must not start an attempt now. */
  isPaused(queue: QueueName): boolean
  /** Resolves when the pauses are known, or after {@link PauseWatch.stop}. */
  start(): Promise<void>
  stop(): void
}

export interface PauseWatchOptions {
  /** Of the database. */
  readonly clock: Clock
  readonly log: Log
  readonly query: Query
  /** Called when a queue is no longer paused. */
  readonly onResumed: (queue: QueueName) => void
  /** Default: 1,000. */
  readonly intervalMs?: number
}

export function createPauseWatch({
  clock,
  intervalMs = READ_INTERVAL_MS,
  log,
  onResumed,
  query
}: PauseWatchOptions): PauseWatch {
  /** Ends of the pauses, in milliseconds since 1970. */
  let ends: ReadonlyMap<QueueName, number> = new Map()
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const known = Promise.withResolvers<void>()

  const read = async (): Promise<void> => {
    const pauses = await readPauses(query)
    const before = ends
    ends = new Map(pauses.map(({ queue, until }) => [queue, until?.getTime() ?? Number.POSITIVE_INFINITY]))
    for (const { by, queue, until } of pauses.filter(pause => !before.has(pause.queue))) {
      log.info(
        { by, event: 'queue_paused_by_operator', queue, until },
        'an operator paused the queue; its rows wait, and attempts in progress finish'
      )
    }
    for (const queue of [...before.keys()].filter(name => !ends.has(name))) {
      log.info(
        { event: 'queue_resumed_by_operator', queue },
        'the pause by an operator ended; the queue continues'
      )
      onResumed(queue)
    }
    known.resolve()
  }
  const repeat = async (): Promise<void> => {
    // What was paused stays paused while the database is down, when no queue can claim rows either.
    await read().catch((err: unknown) =>
      log.debug(
        { err, event: 'pauses_unknown' },
        'could not read which queues are paused; read again in a second'
      )
    )
    if (!isStopped) timer = setTimeout(() => void repeat(), intervalMs).unref()
  }
  return {
    isPaused: queue => clock() < (ends.get(queue) ?? Number.NEGATIVE_INFINITY),
    start() {
      void repeat()
      return known.promise
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
      known.resolve()
    }
  }
}

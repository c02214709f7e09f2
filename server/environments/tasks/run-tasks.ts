// Works on tasks: claims one, does it chunk by chunk at its rate, and lets go of it when it is paused, stopped or this process ends.
//
// Each chunk is a transaction that finds what is left and adds what it did. A process that ends at any moment leaves a task that
// another one continues; the fence keeps one that was suspended from going on beside it.

import { setTimeout as sleep } from 'node:timers/promises'

import type { Log } from '../../core/log.ts'
import type { DatabaseGroup, Db } from '../../db/db.ts'
import {
  isStepped,
  MAX_TOTAL,
  TaskFailure,
  type ChunkedKind,
  type ClaimedTask,
  type SteppedKind,
  type TaskKind
} from './task.ts'
import {
  addProgress,
  BROADCAST,
  claimTask,
  endTask,
  renewLease,
  returnTask,
  writeTotal
} from './tasks.sql.ts'

/** How late a task begins that another node created. */
const POLL_INTERVAL_MS = 1000
const MAX_CHUNK = 200
/** Tasks of one process at the same time, each of another environment. */
const MAX_RUNNING = 2
/** Beside them: a broadcast at a low rate runs for hours, and an erasure must not wait for it. */
const MAX_RUNNING_BROADCASTS = 8
/** How often a task that orders its steps itself renews its lease, and learns that it was stopped. */
const RENEW_INTERVAL_MS = 1000

export interface TaskRunner {
  /** Looks for a task now. */
  wake(): void
  /** Finishes the current chunks and leaves the tasks to other processes. */
  stop(): Promise<void>
}

export interface TaskRunnerOptions {
  readonly db: Db
  readonly kinds: readonly TaskKind[]
  readonly log: Log
  /** Default: 1,000. */
  readonly pollMs?: number
}

export function startTaskRunner({
  db,
  kinds,
  log,
  pollMs = POLL_INTERVAL_MS
}: TaskRunnerOptions): TaskRunner {
  const stopping = new AbortController()
  const { signal } = stopping
  const wakes = new Set<() => void>()
  const names = kinds.map(({ kind }) => kind).filter(kind => kind !== BROADCAST)

  const pause = (ms: number): Promise<void> =>
    new Promise(resolve => {
      const end = (): void => {
        clearTimeout(timer)
        wakes.delete(end)
        signal.removeEventListener('abort', end)
        resolve()
      }
      const timer = setTimeout(end, ms)
      wakes.add(end)
      signal.addEventListener('abort', end)
    })

  const runTask = async (task: ClaimedTask): Promise<void> => {
    const kind = kinds.find(one => one.kind === task.kind)!
    try {
      const isDone = isStepped(kind)
        ? await runStepped(db, kind, task, signal)
        : await workOn(db, kind, task, signal)
      if (signal.aborted && !isDone) await returnTask(db.control, task)
      else if (isDone) {
        if (!isStepped(kind)) await endTask(db.control, task)
        log.info({ envId: task.envId, event: 'task_done', kind: task.kind, taskId: task.id }, 'task done')
      }
    } catch (err) {
      log.error(
        { envId: task.envId, err, event: 'task_failed', kind: task.kind, taskId: task.id },
        'task failed; what it did stays, and a new task does the rest'
      )
      const error =
        err instanceof TaskFailure
          ? err.message
          : 'The server could not do it. The log has the cause under the id of the task.'
      await endTask(db.control, task, { error })
    }
  }

  const wake = (): void => {
    for (const end of wakes) end()
  }
  const work = async (claimed: readonly string[], maxRunning: number): Promise<void> => {
    const running = new Set<Promise<void>>()
    while (!signal.aborted) {
      const task =
        running.size < maxRunning &&
        (await claimTask(db.control, claimed).catch((err: unknown) => {
          log.debug({ err, event: 'tasks_unknown' }, 'could not look for tasks; looks again in a second')
        }))
      if (!task) {
        await pause(pollMs)
        continue
      }
      const run = runTask(task)
        // After an error of the database, the lease ends and a process claims the task again.
        .catch(() => {})
        .finally(() => {
          running.delete(run)
          wake()
        })
      running.add(run)
    }
    await Promise.all(running)
  }
  const working = [work(names, MAX_RUNNING), work([BROADCAST], MAX_RUNNING_BROADCASTS)]
  return {
    async stop() {
      stopping.abort()
      await Promise.all(working)
    },
    wake
  }
}

/** @returns true if it is done; false if it was stopped or claimed by another process, or the signal aborted */
async function runStepped(
  db: Db,
  kind: SteppedKind,
  task: ClaimedTask,
  signal: AbortSignal
): Promise<boolean> {
  const lost = new AbortController()
  let renewing: Promise<void> | undefined
  const renew = async (): Promise<void> => {
    // If the database is away, the lease ends by itself, and the fence stops what follows.
    if (!(await renewLease(db.control, task).catch(() => true))) lost.abort()
  }
  const timer = setInterval(() => (renewing = renew()), RENEW_INTERVAL_MS)
  try {
    const result = await kind.run(task, kind.input.parse(task.input), AbortSignal.any([signal, lost.signal]))
    await endTask(db.control, task, { forgetsInput: kind.forgetsUser === true, result })
    return true
  } catch (error) {
    if (signal.aborted || lost.signal.aborted) return false
    throw error
  } finally {
    clearInterval(timer)
    await renewing
  }
}

/** @returns true if nothing is left; false if the task was paused, stopped or claimed by another process, or the signal aborted */
async function workOn(db: Db, kind: ChunkedKind, task: ClaimedTask, signal: AbortSignal): Promise<boolean> {
  const input = kind.input.parse(task.input)
  if (task.total === null) await countTotal(db, kind, task, input)
  const limit = Math.max(1, Math.min(MAX_CHUNK, Math.floor(task.perSecond / 2)))
  for (const group of db.groups) {
    for (;;) {
      const startedAt = performance.now()
      if (signal.aborted || !(await renewLease(db.control, task))) return false
      const count = await runChunk(kind, group, task, input, limit)
      kind.afterChunk?.()
      if (count < limit) break
      const restMs = (count * 1000) / task.perSecond - (performance.now() - startedAt)
      if (restMs > 0) await sleep(restMs, undefined, { signal }).catch(() => {})
    }
  }
  return true
}

async function countTotal(db: Db, kind: ChunkedKind, task: ClaimedTask, input: unknown): Promise<void> {
  const counts = await Promise.all(db.groups.map(group => kind.count(group, task, input)))
  const total = counts.reduce((sum, count) => sum + count, 0)
  await writeTotal(
    db.control,
    task,
    total,
    counts.some(count => count >= MAX_TOTAL)
  )
}

const runChunk = (
  kind: ChunkedKind,
  group: DatabaseGroup,
  task: ClaimedTask,
  input: unknown,
  limit: number
): Promise<number> =>
  group.work.begin(async tx => {
    const count = await kind.runChunk(tx, group, task, input, limit)
    await addProgress(tx, group.buckets?.[0] ?? 0, task, count)
    return count
  }) as Promise<number>

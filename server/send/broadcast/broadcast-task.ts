// The task of a broadcast: goes through the users of each database group in ranges, chunk by chunk.
//
// A chunk is prepared while the one before is written. A process that ends at any moment leaves the cursor of each range where its last
// commit has put it, so the next process reaches every other user, and none twice.

import { setTimeout as sleep } from 'node:timers/promises'

import type { Channel } from '#protocol'

import { BUCKET_COUNT } from '../../core/id.ts'
import type { DatabaseGroup } from '../../db/db.ts'
import { isConflict, isOutdated, isPassing } from '../../db/failure.ts'
import { bucketsIn } from '../../db/sql-helpers.ts'
import type { ClaimedTask, SteppedKind } from '../../environments/tasks/task.ts'
import { BROADCAST, writeTotal } from '../../environments/tasks/tasks.sql.ts'
import type { Context } from '../../process/context.ts'
import { createRenderContext } from '../accept/prepared-send.ts'
import { countAudience, type AudienceKey, type Cursor } from './audience.sql.ts'
import { storedBroadcast, type Broadcast } from './broadcast.ts'
import {
  prepareChunk,
  writeChunk,
  type BroadcastRun,
  type Chunk,
  type ChunkContext,
  type BucketRange
} from './chunk.ts'
import { readCursor } from './cursors.sql.ts'

/** Users of one chunk: a larger transaction would hold the inboxes of its users for longer. */
const MAX_CHUNK = 200
/** One range uses one connection, and its process prepares the next chunk meanwhile. */
const RANGES = 2
/** Buckets in which one statement counts, so that it takes milliseconds with millions of users. */
const COUNTED_BUCKETS = 64
const RETRY_INTERVAL_MS = 500

const split = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size))

/** Counts the users of an audience, with the connections of searches: a back end that counts often delays no delivery. */
export async function countUsers(
  { db }: Pick<Context, 'db'>,
  audience: AudienceKey,
  signal?: AbortSignal
): Promise<number> {
  let count = 0
  for (const group of db.groups) {
    for (const buckets of split(bucketsIn(group), COUNTED_BUCKETS)) {
      signal?.throwIfAborted()
      count += await countAudience(group.searches, group, audience, buckets)
    }
  }
  return count
}

export function broadcastTask(context: Context, providers: ReadonlySet<Channel>): SteppedKind<Broadcast> {
  const chunks: ChunkContext = { context, renderContext: createRenderContext(context, providers) }
  return {
    canPause: true,
    input: storedBroadcast,
    kind: BROADCAST,
    stopsFrom: ['queued', 'running', 'paused'],
    async run(task, broadcast, signal) {
      const { perSecond } = task
      // Dates have milliseconds, and the column microseconds.
      const until = new Date(task.startedAt!.getTime() + 1)
      const audience: AudienceKey = { envId: task.envId, to: broadcast.to, until }
      const total = task.total ?? (await countTotal(context, task, audience, signal))
      const run: BroadcastRun = { audience, broadcast, task }
      const rangeCount = perSecond > 0 ? 1 : RANGES
      const limit = perSecond > 0 ? Math.max(1, Math.min(MAX_CHUNK, Math.floor(perSecond / 2))) : MAX_CHUNK
      const ranges = context.db.groups.flatMap(group => splitBuckets(group, rangeCount, limit, total))
      const failed = new AbortController()
      const ending = AbortSignal.any([signal, failed.signal])
      await Promise.all(
        ranges.map(range =>
          sendToRange(chunks, run, range, limit, ending).catch((error: unknown) => {
            failed.abort(error)
            throw error
          })
        )
      )
      return null
    }
  }
}

async function countTotal(
  context: Context,
  task: ClaimedTask,
  audience: AudienceKey,
  signal: AbortSignal
): Promise<number> {
  const total = await countUsers(context, audience, signal)
  await writeTotal(context.db.control, task, total, false)
  return total
}

function splitBuckets(group: DatabaseGroup, rangeCount: number, limit: number, total: number): BucketRange[] {
  const buckets = bucketsIn(group)
  const bucketCount = Math.max(
    1,
    Math.min(buckets.length, Math.ceil((limit * BUCKET_COUNT) / Math.max(1, total)))
  )
  return split(buckets, Math.ceil(buckets.length / rangeCount)).map(part => ({
    bucketCount,
    buckets: part,
    group
  }))
}

/** Resolves when the range has reached its last user. @throws if `signal` aborts, or TaskFailure */
async function sendToRange(
  chunks: ChunkContext,
  run: BroadcastRun,
  range: BucketRange,
  limit: number,
  signal: AbortSignal
): Promise<void> {
  const { task } = run
  const prepare = (cursor: Cursor): Promise<Chunk> => {
    const preparing = repeat(chunks, run, signal, () => prepareChunk(chunks, run, range, cursor, limit))
    // Handled when its turn comes.
    preparing.catch(() => {})
    return preparing
  }
  const findCursor = (): Promise<Cursor> =>
    repeat(chunks, run, signal, () =>
      readCursor(range.group.work, { bucket: range.buckets[0]!, envId: task.envId, id: task.id })
    )
  let next: Promise<Chunk> | undefined = prepare(await findCursor())
  while (next) {
    const startedAt = performance.now()
    let chunk: Chunk = await next
    next = chunk.next && prepare(chunk.next)
    const isMoved = await repeat(chunks, run, signal, async () => {
      try {
        return await writeChunk(chunks, run, range, chunk)
      } catch (error) {
        if (isOutdated(error)) chunk = await prepareChunk(chunks, run, range, chunk.from, limit)
        throw error
      }
    })
    // The commit of an earlier attempt has moved it, or another process that has claimed the task.
    if (!isMoved) next = prepare(await findCursor())
    if (task.perSecond > 0) {
      const restMs = (chunk.sends.length * 1000) / task.perSecond - (performance.now() - startedAt)
      if (restMs > 0) await sleep(restMs, undefined, { signal })
    }
  }
}

/** Repeats a step until the database takes it. @throws any other error, or if `signal` aborts */
async function repeat<T>(
  { context }: ChunkContext,
  { task }: BroadcastRun,
  signal: AbortSignal,
  step: () => Promise<T>
): Promise<T> {
  for (;;) {
    signal.throwIfAborted()
    try {
      return await step()
    } catch (error) {
      if (isConflict(error) || isOutdated(error)) continue
      if (!isPassing(error)) throw error
      context.log.warn(
        { component: 'broadcast', envId: task.envId, err: error, event: 'broadcast_waits', taskId: task.id },
        'the database does not take the next users of a broadcast; tries again'
      )
      await sleep(RETRY_INTERVAL_MS, undefined, { signal })
    }
  }
}

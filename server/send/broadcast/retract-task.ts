// The task that retracts a broadcast: out of inboxes and digests, and whatever waits for its time, chunk by chunk.
//
// A send that was retracted before stays so when its chunk is repeated. So the task keeps no cursor: a process that continues it begins
// again.

import { setTimeout as sleep } from 'node:timers/promises'

import { z } from 'zod'

import { BUCKET_COUNT, isTrackingId } from '../../core/id.ts'
import { recheckOnFailure, type InboxEvent } from '../../core/live-updates.ts'
import type { DatabaseGroup } from '../../db/db.ts'
import { bucketsIn } from '../../db/sql-helpers.ts'
import { retryOnConflict } from '../../db/transact.ts'
import type { ClaimedTask, SteppedKind, Task } from '../../environments/tasks/task.ts'
import {
  addProgress,
  readTask,
  resetProgress,
  RETRACT_BROADCAST,
  writeTotal
} from '../../environments/tasks/tasks.sql.ts'
import { removeItems } from '../../inbox/items.sql.ts'
import type { Context } from '../../process/context.ts'
import { retractDigestItemsOf } from '../digest/digest-rows.sql.ts'
import { retractDelaysOf } from '../escalation/escalation.sql.ts'
import { deleteSchedules } from '../schedule/schedules.sql.ts'
import { readCounts } from './cursors.sql.ts'
import { FIRST_ID, isEnding, readSends, type BroadcastSend } from './retract.sql.ts'

/** Sends of one chunk: a larger transaction would hold the inboxes of its users for longer. */
const MAX_CHUNK = 200
/** Buckets in which one statement looks, so that it takes milliseconds if few of their users got the broadcast. */
const MAX_BUCKETS = 64
/** How often it looks whether the last chunk of a stopped broadcast is written. */
const ENDING_POLL_MS = 500

export interface RetractInput {
  readonly broadcastId: string
}

const input: z.ZodType<RetractInput> = z.strictObject({
  broadcastId: z.string().refine(isTrackingId, 'Expected the id of a broadcast.')
})

export function retractTask({
  clock,
  db,
  live
}: Pick<Context, 'clock' | 'db' | 'live'>): SteppedKind<RetractInput> {
  const retractChunk = (
    task: ClaimedTask,
    group: DatabaseGroup,
    sends: readonly BroadcastSend[]
  ): Promise<readonly InboxEvent[]> =>
    retryOnConflict(
      () =>
        group.work.begin(async tx => {
          const message = `The broadcast was retracted at ${new Date(clock()).toISOString()}.`
          // What waits comes before the inbox: a row that becomes due meanwhile is deleted here, or its item is found below.
          await deleteSchedules(tx, sends, message)
          await retractDelaysOf(tx, group, sends)
          await retractDigestItemsOf(tx, group, sends)
          const events = await removeItems(tx, group.buckets, sends)
          await addProgress(tx, progressBucket(group), task, sends.length)
          return events
        }) as Promise<readonly InboxEvent[]>
    )

  return {
    canPause: true,
    input,
    kind: RETRACT_BROADCAST,
    async run(task, { broadcastId }, signal) {
      while (await isEnding(db.control, { envId: task.envId, id: broadcastId })) {
        await sleep(ENDING_POLL_MS, undefined, { signal })
      }
      const broadcast = await readTask(db.control, task.envId, broadcastId)
      // Its row is gone, or it never began.
      if (!broadcast?.startedAt) return null
      const total = task.total ?? (await countTotal(task, broadcast))
      const bucketCount = Math.ceil((MAX_CHUNK * BUCKET_COUNT) / Math.max(1, total))
      for (const group of db.groups) {
        await resetProgress(group, progressBucket(group), task)
        const buckets = [...bucketsIn(group)]
        while (buckets.length > 0) {
          const part = buckets.splice(0, Math.min(MAX_BUCKETS, bucketCount))
          for await (const sends of chunksOf(group, broadcast, part)) {
            signal.throwIfAborted()
            live.publish(await recheckOnFailure(live, sends, retractChunk(task, group, sends)))
          }
        }
      }
      return null
    },
    stopsFrom: ['queued', 'running', 'paused']
  }

  async function countTotal(task: ClaimedTask, { id }: Task): Promise<number> {
    const counts = (await readCounts(db, [id])).get(id)
    const total = counts ? counts.failed + counts.leftOut + counts.sent : 0
    await writeTotal(db.control, task, total, false)
    return total
  }
}

/** Where a group counts the progress. */
const progressBucket = (group: DatabaseGroup): number => bucketsIn(group)[0]!

async function* chunksOf(
  group: DatabaseGroup,
  broadcast: Task,
  buckets: readonly number[]
): AsyncGenerator<readonly BroadcastSend[]> {
  let after = { bucket: buckets[0]!, id: FIRST_ID }
  for (;;) {
    const left = buckets.filter(bucket => bucket >= after.bucket)
    const sends = await readSends(group, broadcast, left, after, MAX_CHUNK)
    if (sends.length > 0) yield sends
    if (sends.length < MAX_CHUNK) return
    after = sends.at(-1)!
  }
}

// One chunk of a broadcast: its next users are read and their sends prepared, then all is written in one transaction with the cursor.

import type { Environment } from '../../config/environment-settings.ts'
import { placementHash, uuidv7 } from '../../core/id.ts'
import { recheckOnFailure, type InboxEvent } from '../../core/live-updates.ts'
import type { DatabaseGroup } from '../../db/db.ts'
import { TaskFailure, type ClaimedTask } from '../../environments/tasks/task.ts'
import { Problem } from '../../http/problem.ts'
import type { Context } from '../../process/context.ts'
import type { NotificationType } from '../../types/type.ts'
import { readDevices } from '../../users/devices.sql.ts'
import { readContacts } from '../../users/users.sql.ts'
import {
  prepareSchedule,
  prepareSend,
  queuesToWake,
  sendAnswer,
  sendRow,
  type RenderContext,
  type SendInput
} from '../accept/prepared-send.ts'
import { writeSends } from '../accept/sends.sql.ts'
import { addDigestItems } from '../digest/digest-items.sql.ts'
import { needsDevices } from '../plan/plan.ts'
import { resolveTimeZone } from '../plan/recipient.ts'
import { resolveType, sendTopic } from '../plan/send-type.ts'
import { applyRateControl } from '../rate-control/apply.ts'
import type { Send } from '../send-request.ts'
import { readAudience, type AudienceKey, type Cursor } from './audience.sql.ts'
import { instantIn, type Broadcast } from './broadcast.ts'
import { moveCursor } from './cursors.sql.ts'
import { countOutcomes, hasRow, withoutRow, type ChunkSend } from './outcomes.ts'

export interface BucketRange {
  readonly group: DatabaseGroup
  /** In ascending order. The first one is the key of its cursor. */
  readonly buckets: readonly number[]
  /** How many buckets one statement reads: about those that hold a chunk. */
  readonly bucketCount: number
}

export interface BroadcastRun {
  readonly task: ClaimedTask
  readonly broadcast: Broadcast
  readonly audience: AudienceKey
}

export interface Chunk {
  readonly from: Cursor
  /** Undefined if the range ends with this chunk. */
  readonly next: Cursor | undefined
  readonly sends: readonly ChunkSend[]
}

/** The cursor behind the last user of a range. It names no user. */
const endOf = (range: BucketRange): Cursor => ({ bucket: range.buckets.at(-1)! + 1, userId: '' })

export interface ChunkContext {
  readonly context: Context
  readonly renderContext: RenderContext
}

/** @throws TaskFailure if nothing can be sent to any user */
export async function prepareChunk(
  { context, renderContext }: ChunkContext,
  run: BroadcastRun,
  range: BucketRange,
  from: Cursor,
  limit: number
): Promise<Chunk> {
  const { group } = range
  const { envId } = run.task
  const buckets = range.buckets.filter(bucket => bucket >= from.bucket).slice(0, range.bucketCount)
  if (buckets.length === 0) return { from, next: undefined, sends: [] }
  const users = await readAudience(group.work, group, run.audience, { buckets, limit, cursor: from })
  const [environment, type] = await readCommon(context, envId, run.broadcast)
  const included = users
    .filter(user => user.isIncluded)
    .map(({ bucket, userId }) => ({ bucket, envId, userId }))
  const topic = sendTopic(run.broadcast.send, type)
  const [contacts, devices] = await Promise.all([
    readContacts(
      group.work,
      included.map(({ bucket, userId }) => ({ bucket, envId, userId, ...topic }))
    ),
    needsDevices({ ...run.broadcast.send, to: { id: '' } }, type) ? readDevices(group.work, included) : []
  ])
  const now = context.clock()
  const sends = included.map(({ bucket, userId }, i) => {
    const hash = placementHash(envId, userId)
    return prepareOne(renderContext, run, {
      bucket,
      contact: contacts[i]!,
      devices: devices[i] ?? [],
      environment,
      id: uuidv7(hash, now),
      now,
      placementHash: hash,
      send: { ...run.broadcast.send, broadcastId: run.task.id, to: { id: userId } },
      type,
      warnings: run.broadcast.warnings,
      caller: undefined
    })
  })
  const last = users.length === limit ? users.at(-1) : undefined
  const nextBucket = range.buckets.find(bucket => bucket > buckets.at(-1)!)
  return {
    from,
    next: last
      ? { bucket: last.bucket, userId: last.userId }
      : nextBucket === undefined
        ? undefined
        : { bucket: nextBucket, userId: '' },
    sends: await Promise.all(sends)
  }
}

async function readCommon(
  context: Context,
  envId: string,
  { send, to }: Broadcast
): Promise<readonly [Environment, NotificationType]> {
  const environment = await context.environments.get(envId)
  if (!environment) throw new TaskFailure('The environment was deleted.')
  try {
    const type = await resolveType(context, envId, send)
    // The title of a topic is as good as that of a sub-notification: preferences list both.
    const subs = 'topic' in to ? new Map([...type.subs, [to.topic, to.topic]]) : type.subs
    return [environment, { ...type, subs }]
  } catch (error) {
    throw error instanceof Problem ? new TaskFailure(error.message) : error
  }
}

async function prepareOne(
  renderContext: RenderContext,
  { broadcast }: BroadcastRun,
  input: SendInput
): Promise<ChunkSend> {
  try {
    const { localTime } = broadcast
    const at = localTime === undefined ? 0 : instantIn(localTime, zoneOf(renderContext, input))
    if (at <= input.now) return await prepareSend(renderContext, input)
    const send: Send = { ...input.send, schedule: new Date(at).toISOString() }
    return prepareSchedule(renderContext, { ...input, send })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return failedSend(input, error)
  }
}

const zoneOf = ({ zone }: RenderContext, { contact, environment }: SendInput): string =>
  resolveTimeZone(contact.timezone, environment.settings, zone)

function failedSend(input: SendInput, { message }: Problem): ChunkSend {
  const warnings = [...input.warnings, `Nothing was sent: ${message}`]
  return {
    answer: sendAnswer(input.id, warnings, false),
    hasFailed: true,
    outbox: [],
    row: sendRow(input, { decisions: new Map(), warnings })
  }
}

/**
 * Writes a chunk and moves the cursor of its range, all or nothing, and publishes what was written.
 *
 * @returns false if another process has moved the cursor, so that nothing was written
 * @throws an error with `isOutdated` if the chunk must be prepared again
 */
export async function writeChunk(
  { context }: ChunkContext,
  { broadcast, task }: BroadcastRun,
  range: BucketRange,
  { from, next, sends }: Chunk
): Promise<boolean> {
  const { group } = range
  const key = { bucket: range.buckets[0]!, envId: task.envId, id: task.id }
  const writing = group.work.begin(async tx => {
    const controlled: readonly ChunkSend[] = await applyRateControl(tx, group, sends)
    const written = controlled.map(send => withoutRow(send, task.id, broadcast.warnings))
    // First, because after a commit that was not heard of, the same sends would be written again.
    const move = { counts: countOutcomes(written), from, to: next ?? endOf(range) }
    if (!(await moveCursor(tx, key, move))) throw new StaleCursor()
    // Sent together, in this order. All are awaited, so that no statement follows the rollback of a failed one.
    const statements = [
      writeSends(
        tx,
        written,
        written.map(({ row }) => row),
        written.filter(hasRow).map(({ row }) => row)
      ),
      addDigestItems(
        tx,
        written.flatMap(({ digests }) => digests ?? [])
      )
    ] as const
    await Promise.allSettled(statements)
    const [events] = await Promise.all(statements)
    return { events, written }
  }) as Promise<{ events: readonly InboxEvent[]; written: readonly ChunkSend[] }>
  try {
    const { events, written } = await recheckOnFailure(
      context.live,
      sends.map(({ row }) => row),
      writing
    )
    if (events.length > 0) context.live.publish(events)
    const queues = new Set(written.flatMap(queuesToWake))
    if (queues.size > 0) context.queues.wake(queues)
    for (const { answer, row } of written) context.recordSend?.(row.envId, row.notificationId, answer.status)
    return true
  } catch (error) {
    if (error instanceof StaleCursor) return false
    throw error
  }
}

/** Rolls back a transaction after another process has moved the cursor. */
class StaleCursor extends Error {}

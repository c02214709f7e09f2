// The tasks about one user: an export into stored parts, and an erasure in steps.

import { z } from 'zod'

import { digestUserId } from '../../core/hash.ts'
import { bucketOf, isUserId, type UserKey } from '../../core/id.ts'
import type { Db, Json } from '../../db/db.ts'
import {
  MAX_TOTAL,
  TaskFailure,
  type ClaimedTask,
  type UserInput,
  type UserKind
} from '../../environments/tasks/task.ts'
import {
  addProgress,
  forgetUser,
  renewLease,
  resetProgress,
  writeResult,
  writeTotal
} from '../../environments/tasks/tasks.sql.ts'
import { Problem } from '../../http/problem.ts'
import type { Context } from '../../process/context.ts'
import { eraseUserInSteps } from './erase.ts'
import { publishErasure, toBody, toUnderWay } from './erasure-answer.ts'
import { countPersonalRows, newErasureId, readErasureProof, readPersonalData } from './personal-data.sql.ts'
import {
  completeExport,
  deleteExport,
  EXPORT_PART_BYTES,
  startExport,
  storeExportPart
} from './stored-exports.sql.ts'

/** A larger export is read from its route, which stores nothing. */
export const MAX_EXPORT_BYTES = 256 * 1024 * 1024

const input = z.strictObject({ userId: z.string().refine(isUserId, 'Expected a user id.') })

const keyOf = (envId: string, { userId }: UserInput): UserKey => ({
  bucket: bucketOf(envId, userId),
  envId,
  userId
})

const total = async (db: Db, user: UserKey, task: ClaimedTask): Promise<void> => {
  if (task.total !== null) return
  const rowCount = await countPersonalRows(db.of(user.bucket), user, MAX_TOTAL)
  await writeTotal(db.control, task, rowCount, rowCount >= MAX_TOTAL)
}

export function userTasks({ db, live }: Pick<Context, 'db' | 'live'>): UserKind[] {
  const exportKind: UserKind = {
    afterStop: (task, given) => {
      const user = keyOf(task.envId, given)
      return deleteExport(db.of(user.bucket), user, task)
    },
    input,
    kind: 'export-user',
    async run(task, given, signal) {
      const user = keyOf(task.envId, given)
      const group = db.of(user.bucket)
      await startExport(group, user, task)
      try {
        // An erasure deletes the tasks before the rows: one that did not find this export finds it now.
        if (!(await renewLease(db.control, task))) throw new TaskFailure('The task was stopped.')
        await resetProgress(group, user.bucket, task)
        await total(db, user, task)
        return await writeExport(db, user, task, signal)
      } catch (error) {
        await deleteExport(group, user, task).catch(() => {})
        throw error
      }
    },
    stopsFrom: ['queued', 'running']
  }
  const eraseKind: UserKind = {
    forgetsUser: true,
    input,
    kind: 'erase-user',
    async run(task, given, signal) {
      const user = keyOf(task.envId, given)
      const digest = { envId: user.envId, userDigest: digestUserId(user.envId, user.userId) }
      const group = db.of(user.bucket)
      let state: Erasing = (task.result as unknown as Erasing | null) ?? { erasureId: newErasureId(user) }
      await writeResult(db.control, task, toJson(state))
      await total(db, user, task)
      await forgetUser(db.control, digest)
      const { version } = await eraseUserInSteps(db, user, {
        erasureId: state.erasureId,
        async onDeleted(tx, { removed, underWay }) {
          const rowCount = Object.values(removed).reduce((sum, count) => sum + count, 0)
          await addProgress(tx, user.bucket, task, rowCount)
          if (!underWay) return
          // Before the commit: the next process cannot count them again once their rows are gone.
          state = { ...state, ...toUnderWay(underWay) }
          await writeResult(db.control, task, toJson(state))
        },
        signal
      }).catch((error: unknown) => {
        throw error instanceof Problem ? new TaskFailure(error.message) : error
      })
      await forgetUser(db.control, digest)
      publishErasure(live, user, version)
      const proof = await readErasureProof(group.work, { ...user, id: state.erasureId })
      return toJson({ ...(proof ? toBody(proof) : { redacted: {}, removed: {} }), ...underWayOf(state) })
    },
    // No user stays half erased, so an erasure that has begun is not stopped.
    stopsFrom: ['queued']
  }
  return [exportKind, eraseKind]
}

/** What the next process needs. */
interface Erasing {
  readonly erasureId: string
  readonly underWay?: { readonly deliveries: number; readonly until: string }
}

const underWayOf = ({ underWay }: Erasing) => underWay && { underWay }
const toJson = (value: object): Json => value as Json

async function writeExport(db: Db, user: UserKey, task: ClaimedTask, signal: AbortSignal): Promise<Json> {
  const group = db.of(user.bucket)
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let bytes = 0
  let part = 0
  let rowCount = 0
  const store = async (content: Buffer): Promise<void> => {
    signal.throwIfAborted()
    bytes += content.length
    if (bytes > MAX_EXPORT_BYTES)
      throw new TaskFailure(
        `The export has more than ${MAX_EXPORT_BYTES} bytes. Read it from GET /{clientId}/users/{userId}/export, which streams it.`
      )
    if (!(await storeExportPart(group, user, task, { content, part, rowCount })))
      throw new TaskFailure('The user was erased meanwhile.')
    part += 1
    rowCount = 0
  }
  /** Stores all full parts. @param isEnd - the rest too */
  const flush = async (isEnd: boolean): Promise<void> => {
    if (waitingBytes < EXPORT_PART_BYTES && !(isEnd && waitingBytes > 0)) return
    const all = Buffer.concat(waiting)
    const end = isEnd ? all.length : all.length - (all.length % EXPORT_PART_BYTES)
    for (let at = 0; at < end; at += EXPORT_PART_BYTES)
      await store(all.subarray(at, Math.min(end, at + EXPORT_PART_BYTES)))
    const rest = all.subarray(end)
    waiting = [rest]
    waitingBytes = rest.length
  }
  await readPersonalData(group, user, async (table, row) => {
    const line = Buffer.from(`${JSON.stringify({ row, table })}\n`)
    waiting.push(line)
    waitingBytes += line.length
    rowCount += 1
    await flush(false)
  })
  await flush(true)
  const until = await completeExport(group, user, task, bytes)
  if (!until) throw new TaskFailure('The user was erased meanwhile.')
  return { bytes, until: until.toISOString() }
}

// Changes and deletes schedules: before the send happens, or not at all.
//
// A change plans the whole send again, as if it arrived now. The row is read and planned without a lock, and replaced only if
// it has not changed since. A worker that has claimed the row loses it, because the claim count grows.

import type { Channel } from '#protocol'

import type { Environment } from '../../config/environment-settings.ts'
import { placementHash } from '../../core/id.ts'
import type { Json, Query } from '../../db/db.ts'
import { runOnce, type IdempotencyKey } from '../../http/idempotency.ts'
import { Problem } from '../../http/problem.ts'
import { ok, type Answer } from '../../http/route.ts'
import type { Context } from '../../process/context.ts'
import { enqueue } from '../../queue/outbox.sql.ts'
import { readDevices } from '../../users/devices.sql.ts'
import { readContacts } from '../../users/users.sql.ts'
import { createRenderContext, prepareSchedule, type PreparedSend } from '../accept/prepared-send.ts'
import { resolveType, sendTopic } from '../plan/send-type.ts'
import type { Send } from '../send-request.ts'
import type { ScheduleChange } from './parse-change.ts'
import {
  deleteSchedules,
  readDecisions,
  readSchedule,
  replaceSchedule,
  type ScheduleKey,
  type StoredSchedule
} from './schedules.sql.ts'

export interface ScheduleBody {
  readonly notificationId: string
  readonly send: Send
  /** Warnings of the requests that created and changed the schedule. */
  readonly warnings: readonly string[]
}

export const scheduleBody = ({ body }: { readonly body: Json }): ScheduleBody =>
  body as unknown as ScheduleBody

interface ScheduleRequest {
  readonly key: ScheduleKey
  readonly environment: Environment
  readonly claim: IdempotencyKey | undefined
}

const MAX_ATTEMPTS = 5

/** @throws Problem `not-found`, `conflict`, or the problem of the changed send */
export async function changeSchedule(
  context: Context,
  providers: ReadonlySet<Channel>,
  request: ScheduleRequest,
  change: ScheduleChange
): Promise<Answer> {
  const { claim, key } = request
  const group = context.db.of(key.bucket)
  for (let attempt = 1; ; attempt++) {
    const next = await prepare(context, providers, request, change).catch(returnProblem)
    try {
      const answer = await runOnce(group, claim, async tx => {
        // Thrown in here, so that a repeated request gets its stored answer, whatever happened to the schedule since.
        if (next instanceof Problem) throw next
        const { prepared, stored } = next
        const [row, ...fetchRows] = prepared.outbox
        if (!(await replaceSchedule(tx, stored.version, row!, prepared.row))) throw new ConcurrentChange()
        await enqueue(tx, fetchRows)
        return prepared.answer
      })
      context.queues.wake(['SCHEDULE', 'FETCH'])
      return answer
    } catch (error) {
      if (!(error instanceof ConcurrentChange)) throw error
      if (attempt === MAX_ATTEMPTS) {
        const detail =
          'The schedule was changed by other requests at the same time. Read it again and repeat the change.'
        throw new Problem('conflict', detail)
      }
    }
  }
}

class ConcurrentChange extends Error {}

function returnProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  throw error
}

async function prepare(
  context: Context,
  providers: ReadonlySet<Channel>,
  { environment, key }: ScheduleRequest,
  change: ScheduleChange
): Promise<{ readonly prepared: PreparedSend; readonly stored: StoredSchedule }> {
  const { sql } = context.db.of(key.bucket)
  const stored = await readSchedule(sql, key)
  if (!stored) throw await missingScheduleProblem(sql, key)
  const before = scheduleBody(stored)
  const { send, warnings } = change(before.send)
  const user = { bucket: key.bucket, envId: key.envId, userId: stored.userId }
  const [type, [contact], [devices = []]] = await Promise.all([
    resolveType(context, key.envId, send),
    readContacts(sql, [{ ...user, ...sendTopic(send, undefined) }]),
    readDevices(sql, [user])
  ])
  const renderContext = createRenderContext(context, providers)
  const prepared = prepareSchedule(renderContext, {
    ...key,
    contact: contact!,
    devices,
    environment,
    now: context.clock(),
    placementHash: placementHash(key.envId, stored.userId),
    send,
    type,
    warnings
  })
  const [row, ...fetchRows] = prepared.outbox
  const body = { ...scheduleBody(row!), warnings: [...new Set([...before.warnings, ...warnings])] }
  const answerBody = { ...(prepared.answer.body as object), schedule: send.schedule }
  return {
    prepared: {
      ...prepared,
      answer: { ...prepared.answer, body: answerBody },
      outbox: [{ ...row!, body: body as unknown as Json }, ...fetchRows]
    },
    stored
  }
}

/** @throws Problem `not-found`, or `conflict` if the send was sent already */
export const cancelSchedule = (
  context: Pick<Context, 'clock' | 'db'>,
  { key, claim }: Omit<ScheduleRequest, 'environment'>
): Promise<Answer> =>
  runOnce(context.db.of(key.bucket), claim, async tx => {
    const message = `The schedule was deleted at ${new Date(context.clock()).toISOString()}.`
    if ((await deleteSchedules(tx, [key], message)) === 0) throw await missingScheduleProblem(tx, key)
    return ok({ messages: [], trackingId: key.id })
  })

export const scheduleNotFound = (id: string): Problem =>
  new Problem('not-found', `The schedule ${JSON.stringify(id)} does not exist.`)

/** Finds out from the log what happened to a schedule that is not in the outbox. */
async function missingScheduleProblem(query: Query, key: ScheduleKey): Promise<Problem> {
  const decisions = await readDecisions(query, key)
  if (!decisions) return scheduleNotFound(key.id)
  const all = Object.values(decisions)
  if (all.includes('deleted')) return new Problem('not-found', 'The schedule was deleted.')
  if (all.length === 0) {
    return new Problem(
      'not-found',
      'The schedule was deleted, or nothing was sent, because its type has no channels.'
    )
  }
  if (all.includes('scheduled')) {
    return new Problem('conflict', 'The schedule failed when its time came. See its dead letter.')
  }
  return new Problem(
    'conflict',
    'The send was sent already. Its in-app notifications can still be retracted.'
  )
}

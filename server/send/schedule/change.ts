// Changes and deletes a schedule: before its send or not at all. What changed is planned as a whole, as if it came now.
//
// The row is read and planned without a lock, and replaced only if nobody replaced it since; a worker that holds the
// row loses it, because its token moves on.

import type { Channel } from '#protocol'

import type { Environment } from '../../config/environment.ts'
import { placementHash } from '../../core/id.ts'
import type { Json, Query } from '../../db/db.ts'
import { once, type Claim } from '../../http/idempotency.ts'
import { Problem } from '../../http/problem.ts'
import type { Answer } from '../../http/route.ts'
import type { Context } from '../../process/context.ts'
import { enqueue } from '../../queue/outbox.sql.ts'
import { readDevices } from '../../users/devices.sql.ts'
import { readContacts } from '../../users/users.sql.ts'
import { draftOfSchedule, topicOf, type Draft } from '../accept/prepared-send.ts'
import { typeFor } from '../plan/send-type.ts'
import type { Send } from '../send-request.ts'
import type { Change } from './parse-change.ts'
import {
  deleteSchedule,
  readDecisions,
  readSchedule,
  replaceSchedule,
  type ScheduleKey,
  type StoredSchedule
} from './schedules.sql.ts'

/** Body of a row in the queue. */
export interface ScheduleBody {
  readonly notificationId: string
  readonly send: Send
  /** Of the requests that made and changed it. */
  readonly warnings: readonly string[]
}

export const bodyOf = ({ body }: { readonly body: Json }): ScheduleBody => body as unknown as ScheduleBody

interface Order {
  readonly key: ScheduleKey
  readonly environment: Environment
  readonly claim: Claim | undefined
}

/** Tries against others who change the same schedule. */
const TRIES = 5

/** @throws Problem `not-found`, `conflict` (already sent), or what is wrong with the send that it would become */
export async function change(
  context: Context,
  providers: ReadonlySet<Channel>,
  order: Order,
  apply: Change
): Promise<Answer> {
  const { claim, key } = order
  const group = context.db.of(key.bucket)
  for (let tries = 1; ; tries++) {
    const next = await prepare(context, providers, order, apply).catch((error: unknown) => refusal(error))
    try {
      const answer = await once(group, claim, async tx => {
        // A repeated request has its answer by now, whatever has become of the schedule.
        if (next instanceof Problem) throw next
        const { draft, stored } = next
        const [row, ...besides] = draft.outbox
        if (!(await replaceSchedule(tx, stored.version, row!, draft.row))) throw new Overtaken()
        await enqueue(tx, besides)
        return draft.answer
      })
      context.queues.wake(['SCHEDULE', 'FETCH'])
      return answer
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error
      if (tries === TRIES) throw new Problem('conflict', 'Others change this schedule at the same time.')
    }
  }
}

class Overtaken extends Error {}

function refusal(error: unknown): Problem {
  if (error instanceof Problem) return error
  throw error
}

interface Prepared {
  readonly draft: Draft
  readonly stored: StoredSchedule
}

async function prepare(
  context: Context,
  providers: ReadonlySet<Channel>,
  order: Order,
  apply: Change
): Promise<Prepared> {
  const { environment, key } = order
  const { sql } = context.db.of(key.bucket)
  const stored = await readSchedule(sql, key)
  if (!stored) throw await absence(sql, key)
  const before = bodyOf(stored)
  const { send, warnings } = apply(before.send)
  const user = { bucket: key.bucket, envId: key.envId, userId: stored.userId }
  const [type, [contact], [devices = []]] = await Promise.all([
    typeFor(context, key.envId, send),
    readContacts(sql, [{ ...user, ...topicOf(send, undefined) }]),
    readDevices(sql, [user])
  ])
  const now = context.clock()
  const place = placementHash(key.envId, stored.userId)
  const input = { ...key, contact: contact!, devices, environment, now, place, send, type, warnings }
  const draft = draftOfSchedule(
    { providers, renderer: context.renderer, zone: context.config.timezone },
    input
  )
  const [row, ...besides] = draft.outbox
  const kept = { ...bodyOf(row!), warnings: [...new Set([...before.warnings, ...warnings])] }
  const body = { ...(draft.answer.body as object), schedule: send.schedule }
  return {
    draft: {
      ...draft,
      answer: { ...draft.answer, body },
      outbox: [{ ...row!, body: kept as unknown as Json }, ...besides]
    },
    stored
  }
}

/** @throws Problem `not-found` or `conflict` (already sent) */
export const remove = (
  context: Pick<Context, 'db'>,
  { key, claim }: Omit<Order, 'environment'>
): Promise<Answer> =>
  once(context.db.of(key.bucket), claim, async tx => {
    if (!(await deleteSchedule(tx, key))) throw await absence(tx, key)
    return { body: { messages: [], trackingId: key.id }, status: 200 }
  })

export const noSchedule = (id: string): Problem =>
  new Problem('not-found', `There is no schedule ${JSON.stringify(id)}.`)

/** Why there is no schedule under the id. */
async function absence(query: Query, key: ScheduleKey): Promise<Problem> {
  const decisions = await readDecisions(query, key)
  if (!decisions) return noSchedule(key.id)
  const all = Object.values(decisions)
  if (all.includes('cancelled')) return new Problem('not-found', 'This schedule was deleted.')
  if (all.includes('scheduled')) {
    return new Problem('conflict', 'This schedule failed when its time came: see the dead letters.')
  }
  return new Problem('conflict', 'This was sent already: in-app notifications can still be retracted.')
}

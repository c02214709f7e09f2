// Broadcasts over HTTP: created, estimated, listed, paused, resumed and stopped.

import type { Channel } from '#protocol'

import { isTrackingId, uuidv7 } from '../../core/id.ts'
import type { Json } from '../../db/db.ts'
import { changeTask, OPEN_STATES, type TaskChange } from '../../environments/tasks/change-task.ts'
import {
  auditBackEnd,
  MAX_OPEN as MAX_OPEN_TASKS,
  NO_PLACEMENT,
  operatorOf,
  tooManyTasks
} from '../../environments/tasks/route.ts'
import { listQuery } from '../../environments/tasks/schema.ts'
import { NO_RATE, type Task } from '../../environments/tasks/task.ts'
import {
  BROADCAST,
  changeState,
  insertTask,
  listTasks,
  readTask,
  RETRACT_BROADCAST
} from '../../environments/tasks/tasks.sql.ts'
import type { Audit } from '../../http/audit/audit.ts'
import { toCursor } from '../../http/cursor.ts'
import { idempotencyKeyOf, runOnce } from '../../http/idempotency.ts'
import { invalidFields, parseInput, parseQuery } from '../../http/parse-input.ts'
import { Problem } from '../../http/problem.ts'
import { ok, route, type Answer, type BackEndCall, type Route } from '../../http/route.ts'
import type { Context } from '../../process/context.ts'
import { readTopic } from '../../users/topics/topics.sql.ts'
import { resolveType } from '../plan/send-type.ts'
import { broadcastTask, countUsers } from './broadcast-task.ts'
import { parseBroadcast, storedBroadcast } from './broadcast.ts'
import { NO_COUNTS, readCounts, type BroadcastCounts } from './cursors.sql.ts'
import { createDoc, estimateDoc, listDoc, pauseDoc, readDoc, resumeDoc, retractDoc, stopDoc } from './doc.ts'
import { readRetractions, type Retraction } from './retract.sql.ts'
import { estimateBody, type Audience } from './schema.ts'

const ALL = '/:clientId/broadcasts'
const ONE = `${ALL}/:broadcastId`
/** Broadcasts of one environment that have not ended. */
const MAX_OPEN = 100

const broadcastNotFound = (): Problem =>
  new Problem('not-found', 'The environment has no broadcast with this id.')

/** @throws Problem `not-found` */
function parseId({ params }: Pick<BackEndCall, 'params'>): string {
  const id = params['broadcastId'] ?? ''
  if (!isTrackingId(id)) throw broadcastNotFound()
  return id.toLowerCase()
}

function toWire(
  task: Task,
  counts: BroadcastCounts = NO_COUNTS,
  retraction?: Pick<Retraction, 'state' | 'taskId'>
) {
  const { createdAt, createdBy, endedAt, error, id, input, perSecond, startAt, startedAt, state, total } =
    task
  const { localTime, send, to, warnings } = storedBroadcast.parse(input)
  return {
    broadcastId: id,
    state,
    to,
    send,
    done: counts.sent + counts.leftOut + counts.failed,
    ...counts,
    messages: warnings,
    createdBy,
    createdAt: createdAt.toISOString(),
    ...(perSecond !== NO_RATE && { perSecond }),
    ...(localTime !== undefined && { localTime }),
    ...(localTime === undefined && startAt && { schedule: startAt.toISOString() }),
    ...(total !== null && { total }),
    ...(startedAt && { startedAt: startedAt.toISOString() }),
    ...(endedAt && { endedAt: endedAt.toISOString() }),
    ...(error !== null && { error }),
    ...(retraction && { retraction: { state: retraction.state, taskId: retraction.taskId } })
  }
}

/** @throws Problem `invalid-request` if it names a topic that does not exist */
async function checkAudience({ db }: Context, envId: string, to: Audience): Promise<void> {
  if (!('topic' in to) || (await readTopic(db, { envId, topicId: to.topic }))) return
  throw invalidFields([{ detail: 'The environment has no such topic.', pointer: '#/to/topic' }])
}

export interface BroadcastRoutesOptions {
  readonly audit: Audit
  readonly providers: ReadonlySet<Channel>
  /** Called after a broadcast was created or resumed. */
  readonly wake: () => void
}

export function broadcastRoutes(
  context: Context,
  { audit, providers, wake }: BroadcastRoutesOptions
): Route[] {
  const { clock, db } = context
  const kinds = [broadcastTask(context, providers)]
  const audited = auditBackEnd(audit, 'broadcastId')
  const toWireAll = async (envId: string, tasks: readonly Task[]) => {
    const ids = tasks.map(({ id }) => id)
    const [counts, retractions] = await Promise.all([
      readCounts(db, ids),
      readRetractions(db.control, envId, ids)
    ])
    return tasks.map(task =>
      toWire(
        task,
        counts.get(task.id),
        retractions.find(one => one.broadcastId === task.id)
      )
    )
  }
  const answer = async (task: Task, status = 200): Promise<Answer> => ({
    body: (await toWireAll(task.envId, [task]))[0],
    status
  })
  /** @throws Problem `not-found`, also for a task that is no broadcast */
  const read = async (call: BackEndCall): Promise<Task> => {
    const task = await readTask(db.control, call.env.id, parseId(call))
    if (task?.kind !== BROADCAST) throw broadcastNotFound()
    return task
  }
  const change =
    (name: TaskChange) =>
    async (call: BackEndCall): Promise<Answer> => {
      const task = await changeTask(db, kinds, await read(call), name)
      if (name === 'resume') wake()
      return answer(task)
    }
  const changes = [
    ['pause', pauseDoc],
    ['resume', resumeDoc],
    ['stop', stopDoc]
  ] as const

  return [
    route('POST', ALL, 'back-end', createDoc, async call => {
      const { broadcast, perSecond, startAt } = parseBroadcast(call.body, clock(), (channel, content) =>
        context.renderer.check(channel, content)
      )
      await checkAudience(context, call.env.id, broadcast.to)
      await resolveType(context, call.env.id, broadcast.send, broadcast.warnings)
      const created = await audited(call, 'POST', ALL, () =>
        runOnce(db.controlWithKeys, idempotencyKeyOf(call, '', 0), async tx => {
          const task = await insertTask(
            tx,
            {
              createdBy: operatorOf(call) ?? 'back-end',
              envId: call.env.id,
              id: uuidv7(NO_PLACEMENT, clock()),
              input: broadcast as unknown as Json,
              kind: BROADCAST,
              perSecond: perSecond ?? NO_RATE,
              startAt
            },
            MAX_OPEN
          )
          if (task) return { body: toWire(task), status: 202 }
          const detail = `The environment has ${MAX_OPEN} broadcasts that have not ended. Stop one, or wait.`
          throw new Problem('conflict', detail)
        })
      )
      wake()
      return created
    }),

    route('POST', `${ALL}/estimate`, 'back-end', estimateDoc, async ({ body, env, signal }) => {
      const { to } = parseInput(estimateBody, body)
      await checkAudience(context, env.id, to)
      return ok({ total: await countUsers(context, { envId: env.id, to, until: new Date(clock()) }, signal) })
    }),

    route('GET', ALL, 'back-end', listDoc, async ({ env, query }) => {
      const { count, cursor, state } = parseQuery(listQuery, query)
      const list = { before: cursor, isBroadcast: true, state }
      const found = await listTasks(db.control, env.id, list, count + 1)
      const shown = found.slice(0, count)
      return ok({
        broadcasts: await toWireAll(env.id, shown),
        ...(found.length > count && { next: toCursor(shown.at(-1)!.id) })
      })
    }),

    route('GET', ONE, 'back-end', readDoc, async call => answer(await read(call))),

    ...changes.map(([name, doc]) =>
      route('POST', `${ONE}/${name}`, 'back-end', doc, call =>
        audited(call, 'POST', `${ONE}/${name}`, () => change(name)(call))
      )
    ),

    // An open retraction is the answer to a repeated call, so no idempotency key is needed.
    route('POST', `${ONE}/retract`, 'back-end', retractDoc, call =>
      audited(call, 'POST', `${ONE}/retract`, async () => {
        const broadcast = await read(call)
        const envId = call.env.id
        const stop = { from: OPEN_STATES, to: 'stopped' } as const
        const changed = await changeState(db.control, envId, broadcast.id, stop)
        const [before] = await readRetractions(db.control, envId, [broadcast.id])
        const isNew = !before || !OPEN_STATES.includes(before.state)
        if (isNew) {
          const created = await insertTask(
            db.control,
            {
              createdBy: operatorOf(call) ?? 'back-end',
              envId,
              id: uuidv7(NO_PLACEMENT, clock()),
              input: { broadcastId: broadcast.id },
              kind: RETRACT_BROADCAST,
              perSecond: NO_RATE
            },
            MAX_OPEN_TASKS
          )
          if (!created) throw tooManyTasks()
        }
        const answered = await answer(changed?.task ?? broadcast, 202)
        if (isNew) wake()
        return answered
      })
    )
  ]
}

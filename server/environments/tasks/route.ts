// Tasks over HTTP: created, listed, paused, resumed and stopped.

import type { Clock } from '../../core/clock.ts'
import { isTrackingId, uuidv7 } from '../../core/id.ts'
import type { Db, Json } from '../../db/db.ts'
import type { Audit } from '../../http/audit/audit.ts'
import { toCursor } from '../../http/cursor.ts'
import { idempotencyKeyOf, runOnce } from '../../http/idempotency.ts'
import { invalidFields, parseInput, parseQuery, withPointers } from '../../http/parse-input.ts'
import { Problem } from '../../http/problem.ts'
import { ok, route, type AdminCall, type Answer, type BackEndCall, type Route } from '../../http/route.ts'
import { changeTask, taskNotFound, type TaskChange } from './change-task.ts'
import { createDoc, listDoc, pauseDoc, readDoc, resumeDoc, stopDoc } from './doc.ts'
import { createBody, listQuery } from './schema.ts'
import { isStepped, type ChunkedKind, type Task, type TaskKind } from './task.ts'
import { insertTask, listTasks, readProgress, readTask } from './tasks.sql.ts'

const ALL = '/:clientId/tasks'
const ONE = `${ALL}/:taskId`
/** Tasks of one environment that have not ended. */
export const MAX_OPEN = 20
/** A task is in the table of the environment, so its id names no bucket. */
export const NO_PLACEMENT = 0

export interface TaskRoutesOptions {
  readonly audit: Audit
  readonly clock: Clock
  readonly db: Db
  readonly kinds: readonly TaskKind[]
  /** Called after a task was created or resumed. */
  readonly wake: () => void
}

export const tooManyTasks = (): Problem =>
  new Problem('conflict', `The environment has ${MAX_OPEN} tasks that have not ended. Stop one, or wait.`)

/** @throws Problem `not-found` */
export function parseTaskId({ params }: Pick<BackEndCall, 'params'>): string {
  const id = params['taskId'] ?? ''
  if (!isTrackingId(id)) throw taskNotFound()
  return id.toLowerCase()
}

export function toWire(task: Task, done: number, failed?: number) {
  const { createdAt, endedAt, error, id, input, isTotalAtLeast, kind, perSecond, startedAt, state, total } =
    task
  return {
    id,
    kind,
    state,
    input,
    isTotalAtLeast,
    done,
    perSecond,
    createdBy: task.createdBy,
    ...(task.result !== null && { result: task.result }),
    ...(failed !== undefined && { failed }),
    ...(total !== null && { total }),
    createdAt: createdAt.toISOString(),
    ...(startedAt && { startedAt: startedAt.toISOString() }),
    ...(endedAt && { endedAt: endedAt.toISOString() }),
    ...(error !== null && { error })
  }
}

/** Operators are audited by each call. */
export const operatorOf = (call: BackEndCall & Partial<AdminCall>): string | undefined => call.operator

/** Writes what a back end does to the audit log, as that of an operator is. @param subject - path parameter of what it is about */
export const auditBackEnd =
  (audit: Audit, subject: string) =>
  (call: BackEndCall, method: string, path: string, work: () => Promise<Answer>): Promise<Answer> =>
    operatorOf(call) === undefined
      ? audit.run(
          {
            action: `${method} ${path}`,
            actor: 'back-end',
            address: call.address,
            clientId: call.env.id,
            method,
            route: path,
            subject: call.params[subject],
            userDigest: undefined
          },
          work
        )
      : work()

export function taskRoutes({ audit, clock, db, kinds, wake }: TaskRoutesOptions): Route[] {
  const chunkedKinds = kinds.filter((kind): kind is ChunkedKind => !isStepped(kind))
  const kindOf = (name: string): ChunkedKind => {
    const kind = chunkedKinds.find(one => one.kind === name)
    if (kind) return kind
    const detail = `Expected one of ${chunkedKinds.map(one => one.kind).join(', ')}.`
    throw invalidFields([{ detail, pointer: '#/kind' }])
  }
  const audited = auditBackEnd(audit, 'taskId')
  const progressOf = async (task: Task) => (await readProgress(db, [task.id])).get(task.id) ?? 0
  const change =
    (name: TaskChange) =>
    async (call: BackEndCall): Promise<Answer> => {
      const task = await changeTask(db, kinds, { envId: call.env.id, id: parseTaskId(call) }, name)
      if (name === 'resume') wake()
      return ok(toWire(task, await progressOf(task)))
    }
  const changes = [
    ['pause', pauseDoc],
    ['resume', resumeDoc],
    ['stop', stopDoc]
  ] as const

  return [
    route('POST', ALL, 'back-end', createDoc, async call => {
      const { input, kind: name, perSecond } = parseInput(createBody, call.body)
      const kind = kindOf(name)
      withPointers(
        pointer => pointer.replace('#', '#/input'),
        () => parseInput(kind.input, input)
      )
      const answer = await audited(call, 'POST', ALL, () =>
        runOnce(db.controlWithKeys, idempotencyKeyOf(call, '', 0), async tx => {
          const task = await insertTask(
            tx,
            {
              createdBy: operatorOf(call) ?? 'back-end',
              envId: call.env.id,
              id: uuidv7(NO_PLACEMENT, clock()),
              input: input as Json,
              kind: name,
              perSecond: Math.min(perSecond ?? kind.defaultPerSecond, kind.maxPerSecond)
            },
            MAX_OPEN
          )
          if (!task) throw tooManyTasks()
          return { body: toWire(task, 0), status: 202 }
        })
      )
      wake()
      return answer
    }),

    route('GET', ALL, 'back-end', listDoc, async ({ env, query }) => {
      const { count, cursor, state } = parseQuery(listQuery, query)
      const found = await listTasks(
        db.control,
        env.id,
        { before: cursor, isBroadcast: false, state },
        count + 1
      )
      const shown = found.slice(0, count)
      const progress = await readProgress(
        db,
        shown.map(({ id }) => id)
      )
      return ok({
        tasks: shown.map(task => toWire(task, progress.get(task.id) ?? 0)),
        ...(found.length > count && { next: toCursor(shown.at(-1)!.id) })
      })
    }),

    route('GET', ONE, 'back-end', readDoc, async call => {
      const task = await readTask(db.control, call.env.id, parseTaskId(call))
      if (!task) throw taskNotFound()
      const kind = chunkedKinds.find(one => one.kind === task.kind)
      return ok(toWire(task, await progressOf(task), await kind?.countFailed?.(db, task)))
    }),

    ...changes.map(([name, doc]) =>
      route('POST', `${ONE}/${name}`, 'back-end', doc, call =>
        audited(call, 'POST', `${ONE}/${name}`, () => change(name)(call))
      )
    )
  ]
}

// Exports and erasures of users as tasks, with progress and result. They need the rights of an export and an erasure, not those of tasks.

import { digestUserId } from '../../core/hash.ts'
import { uuidv7, type UserKey } from '../../core/id.ts'
import { changeTask, taskNotFound } from '../../environments/tasks/change-task.ts'
import {
  MAX_OPEN,
  NO_PLACEMENT,
  operatorOf,
  parseTaskId,
  tooManyTasks,
  toWire
} from '../../environments/tasks/route.ts'
import { NO_RATE, type Task } from '../../environments/tasks/task.ts'
import { insertTask, listUserTasks, readProgress, readTask } from '../../environments/tasks/tasks.sql.ts'
import { parseInput } from '../../http/parse-input.ts'
import { Problem } from '../../http/problem.ts'
import { ok, route, type Answer, type BackEndCall, type Route, type Streamed } from '../../http/route.ts'
import type { Context } from '../../process/context.ts'
import { parseUserKey } from '../user-key.ts'
import { EXPORT_HOURS, readExportBytes, readExportParts } from './stored-exports.sql.ts'
import { createDoc, listDoc, readDoc, resultDoc, stopDoc } from './task-doc.ts'
import { createBody } from './task-schema.ts'
import { userTasks } from './user-tasks.ts'

const ALL = '/:clientId/users/:userId/tasks'
const ONE = `${ALL}/:taskId`
const MAX_LISTED = 20

/** The id of a user in the table of tasks: a digest, because a finished erasure keeps its row. */
const digestOf = ({ envId, userId }: UserKey) => ({ envId, userDigest: digestUserId(envId, userId) })

export function userTaskRoutes(
  context: Pick<Context, 'clock' | 'db' | 'live'>,
  { wake }: { readonly wake: () => void }
): Route[] {
  const { clock, db } = context
  const kinds = userTasks(context)
  const answer = async (tasks: readonly Task[]) => {
    const progress = await readProgress(
      db,
      tasks.map(({ id }) => id)
    )
    return tasks.map(task => toWire(task, progress.get(task.id) ?? 0))
  }
  /** @throws Problem `not-found`, also for a task about another user */
  const readOwn = async (call: BackEndCall): Promise<Task> => {
    const { envId, userDigest } = digestOf(parseUserKey(call))
    const task = await readTask(db.control, envId, parseTaskId(call))
    if (task?.userDigest !== userDigest) throw taskNotFound()
    return task
  }
  const one = async (task: Task, status = 200): Promise<Answer> => ({
    body: (await answer([task]))[0],
    status
  })

  return [
    // No idempotency key is stored, because it would be a trace of the user: an open task of the kind is the answer instead.
    route('POST', ALL, 'back-end', createDoc, async call => {
      const user = parseUserKey(call)
      const { kind } = parseInput(createBody, call.body)
      const [open] = await listUserTasks(db.control, digestOf(user), 1, kind)
      const task =
        open ??
        (await insertTask(
          db.control,
          {
            ...digestOf(user),
            createdBy: operatorOf(call) ?? 'back-end',
            id: uuidv7(NO_PLACEMENT, clock()),
            input: { userId: user.userId },
            kind,
            perSecond: NO_RATE
          },
          MAX_OPEN
        ))
      if (!task) throw tooManyTasks()
      wake()
      return one(task, 202)
    }),

    route('GET', ALL, 'back-end', listDoc, async call =>
      ok({ tasks: await answer(await listUserTasks(db.control, digestOf(parseUserKey(call)), MAX_LISTED)) })
    ),

    route('GET', ONE, 'back-end', readDoc, async call => one(await readOwn(call))),

    route('POST', `${ONE}/stop`, 'back-end', stopDoc, async call => {
      const { envId, id } = await readOwn(call)
      return one(await changeTask(db, kinds, { envId, id }, 'stop'))
    }),

    route('GET', `${ONE}/result`, 'back-end', resultDoc, async call => {
      const user = parseUserKey(call)
      const id = parseTaskId(call)
      const group = db.of(user.bucket)
      const bytes = await readExportBytes(group, user, id)
      if (bytes === undefined) {
        const detail = `The task has no export: it is not complete, or was deleted ${EXPORT_HOURS} hours after its start.`
        throw new Problem('not-found', detail)
      }
      const body: Streamed = async write => {
        for await (const part of readExportParts(group, user, id, bytes)) await write(part)
      }
      return { body, headers: { 'content-type': 'application/x-ndjson; charset=utf-8' }, status: 200 }
    })
  ]
}

// The API reference of tasks.

import { z } from 'zod'

import { anyObject, instant, next } from '../../http/common-schemas.ts'
import { unknownId, type Doc } from '../../http/route-doc.ts'
import { createBody, listQuery } from './schema.ts'
import { MAX_TOTAL, TASK_STATES } from './task.ts'

export const taskSchema = z.object({
  id: z.uuid(),
  kind: z.string(),
  state: z.enum(TASK_STATES),
  input: anyObject,
  total: z.int().optional().meta({ description: 'Absent until it is counted.' }),
  isTotalAtLeast: z.boolean().meta({ description: `The count stopped at ${MAX_TOTAL}.` }),
  done: z.int(),
  failed: z.int().optional().meta({
    description: 'Redriven messages that became dead letters again. Only in the answer of one task.'
  }),
  perSecond: z.int().meta({ description: '0: as fast as the database.' }),
  result: anyObject.optional().meta({
    description: 'What came of an export or erasure of a user, and until it ends the id of the erasure.'
  }),
  createdBy: z
    .string()
    .meta({ description: 'Actor of the audit log; `back-end` for a client secret or API key.' }),
  createdAt: instant,
  startedAt: instant.optional(),
  endedAt: instant.optional(),
  error: z.string().optional().meta({ description: 'Why it failed.' })
})

export const createDoc: Doc = {
  answer: taskSchema,
  body: createBody,
  description:
    'Starts long work and answers at once. Kinds: `redrive-dead-letters` and `drop-dead-letters` with `input.filter` as in the routes of ' +
    'dead letters, for those that died before the task was created; `restore-dead-letters` with `input.taskId`, the id of a task that ' +
    'dropped some in the last 24 hours. A task survives restarts and does each dead letter once. An environment has at most 20 tasks that ' +
    'have not ended, and one at work. Exports and erasures of users are tasks too, which `createUserTask` starts.',
  examples: [
    {
      body: {
        input: { filter: { channel: 'EMAIL', code: 'no such code' } },
        kind: 'redrive-dead-letters',
        perSecond: 20
      },
      name: 'Redrive a cause',
      status: 202
    },
    {
      body: { input: { filter: { kanal: 'EMAIL' } }, kind: 'drop-dead-letters' },
      name: 'Unknown field',
      status: 422
    },
    { body: { input: {}, kind: 'tidy-up' }, name: 'Unknown kind', status: 422 }
  ],
  operationId: 'createTask',
  problems: [409],
  summary: 'Start a task',
  tag: 'tasks'
}

export const listDoc: Doc = {
  answer: z.object({ tasks: z.array(taskSchema), next }),
  examples: [
    { name: 'Newest', query: { count: '10' }, status: 200 },
    { name: 'At work', query: { state: 'running' }, status: 200 },
    { name: 'Unknown state', query: { state: 'asleep' }, status: 422 }
  ],
  operationId: 'listTasks',
  query: listQuery,
  summary: 'List tasks',
  tag: 'tasks'
}

export const readDoc: Doc = {
  answer: taskSchema,
  examples: [{ name: 'Known id', status: 200 }, unknownId('taskId')],
  operationId: 'getTask',
  summary: 'Get a task with its progress',
  tag: 'tasks'
}

/**
 * The reference of a route that pauses, resumes or stops long work.
 *
 * @param common - fields of all of them
 * @param parameter - path parameter of the id
 */
export const changeDoc =
  (common: Pick<Doc, 'answer' | 'roles' | 'tag'>, parameter: string) =>
  (operationId: string, summary: string, description: string): Doc => ({
    ...common,
    description,
    examples: [{ name: 'Known id', status: 200 }, unknownId(parameter)],
    operationId,
    problems: [409],
    summary
  })

const change = changeDoc({ answer: taskSchema, tag: 'tasks' }, 'taskId')

export const pauseDoc = change(
  'pauseTask',
  'Pause a task',
  'It ends its current chunk, and waits until it is resumed. Exports and erasures of users are not paused: 409.'
)
export const resumeDoc = change(
  'resumeTask',
  'Resume a task',
  'Does nothing to a task that is not paused, unless it has ended: 409.'
)
export const stopDoc = change(
  'stopTask',
  'Stop a task',
  'It ends its current chunk, and cannot be resumed. What it did stays; of an export, nothing. An erasure that began is not stopped: 409.'
)

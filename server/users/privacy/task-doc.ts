// The API reference of exports and erasures as tasks.

import { z } from 'zod'

import { taskSchema } from '../../environments/tasks/doc.ts'
import { anyObject } from '../../http/common-schemas.ts'
import { EXAMPLE_ID, type Doc } from '../../http/route-doc.ts'
import { EXPORT_HOURS } from './stored-exports.sql.ts'
import { createBody } from './task-schema.ts'
import { MAX_EXPORT_BYTES } from './user-tasks.ts'

const unknown = { name: 'Unknown id', params: { taskId: EXAMPLE_ID }, status: 404 }

export const createDoc: Doc = {
  answer: taskSchema,
  body: createBody,
  description:
    `Starts an export or an erasure of a user with many rows, and answers at once. If one of the kind has not ended, the answer is that one. ` +
    `It survives restarts: an erasure continues, an export begins again. \`result\` of an erasure is as in the answer of \`eraseUser\`; its task then names no ` +
    `user. \`result\` of an export has \`bytes\` and \`until\`: the export has at most ${MAX_EXPORT_BYTES / 1024 / 1024} MiB, and is deleted ${EXPORT_HOURS} hours after its start. ` +
    'An environment has one such task at work, beside one of the other kinds.',
  examples: [
    { body: { kind: 'export-user' }, name: 'Export', status: 202 },
    { body: { kind: 'forget-user' }, name: 'Unknown kind', status: 422 }
  ],
  operationId: 'createUserTask',
  problems: [409],
  summary: 'Start an export or an erasure as a task',
  tag: 'users'
}

export const listDoc: Doc = {
  answer: z.object({ tasks: z.array(taskSchema) }),
  description: 'The newest 20, newest first.',
  examples: [{ name: 'Known user', status: 200 }],
  impersonal: true,
  operationId: 'listUserTasks',
  summary: 'List the exports and erasures of a user',
  tag: 'users'
}

export const readDoc: Doc = {
  answer: taskSchema,
  examples: [{ name: 'Known id', status: 200 }, unknown],
  impersonal: true,
  operationId: 'getUserTask',
  summary: 'Get an export or an erasure with its progress',
  tag: 'users'
}

export const stopDoc: Doc = {
  answer: taskSchema,
  description:
    'An export ends, and what it stored is deleted. An erasure can be stopped until it begins: 409.',
  examples: [{ name: 'Known id', status: 200 }, unknown],
  operationId: 'stopUserTask',
  problems: [409],
  summary: 'Stop an export or an erasure',
  tag: 'users'
}

export const resultDoc: Doc = {
  answer: z.object({ row: anyObject, table: z.string() }),
  description: `JSON lines as in \`exportUser\`, until ${EXPORT_HOURS} hours after the start of the task.`,
  examples: [{ name: 'Complete export', status: 200 }, unknown],
  lines: true,
  operationId: 'readExport',
  summary: 'Get the result of an export',
  tag: 'users'
}

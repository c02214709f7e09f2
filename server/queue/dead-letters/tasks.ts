// The tasks of dead letters: redrive or drop all that match a filter, and restore what a task dropped.

import { z } from 'zod'

import { isTrackingId } from '../../core/id.ts'
import type { Db } from '../../db/db.ts'
import type { ClaimedTask, Task, TaskKind } from '../../environments/tasks/task.ts'
import { MAX_TOTAL } from '../../environments/tasks/task.ts'
import type { QueueName, Queues } from '../queues.ts'
import { countDeadLetters, countDiedAgain, drop, redrive, type DeadLetterQuery } from './dead-letters.sql.ts'
import { countDropped, restore } from './dropped.sql.ts'
import { filterSchema, type DeadLetterFilter } from './schema.ts'

const DEFAULT_PER_SECOND = 100
const MAX_PER_SECOND = 1000

interface FilterInput {
  readonly filter: DeadLetterFilter
}

const filterInput = z.strictObject({ filter: filterSchema })

/** Messages that die after the task was created are not selected, or a redrive would never end. */
const toQuery = ({ createdAt, envId, id }: ClaimedTask, { filter }: FilterInput): DeadLetterQuery => ({
  ...filter,
  endTime: Math.min(filter.endTime ?? Number.POSITIVE_INFINITY, createdAt.getTime()),
  envId,
  taskId: id
})

const rates = { defaultPerSecond: DEFAULT_PER_SECOND, maxPerSecond: MAX_PER_SECOND }

export function deadLetterTasks({ queues }: { readonly queues: Pick<Queues, 'wake'> }): TaskKind[] {
  let moved = new Set<QueueName>()
  const redriveKind: TaskKind<FilterInput> = {
    ...rates,
    afterChunk() {
      queues.wake(moved)
      moved = new Set()
    },
    count: (group, task, input) => countDeadLetters(group, toQuery(task, input), MAX_TOTAL),
    countFailed: (db: Db, task: Task) => countDiedAgain(db, task.envId, task.id, task.createdAt),
    input: filterInput,
    kind: 'redrive-dead-letters',
    async runChunk(tx, group, task, input, limit) {
      const letters = await redrive(tx, group, toQuery(task, input), limit)
      for (const { queue } of letters) moved.add(queue)
      return letters.length
    }
  }
  const dropKind: TaskKind<FilterInput> = {
    ...rates,
    count: (group, task, input) => countDeadLetters(group, toQuery(task, input), MAX_TOTAL),
    input: filterInput,
    kind: 'drop-dead-letters',
    runChunk: async (tx, group, task, input, limit) =>
      (await drop(tx, group, toQuery(task, input), limit)).length
  }
  const restoreKind: TaskKind<{ readonly taskId: string }> = {
    ...rates,
    count: (group, { envId }, { taskId }) => countDropped(group, { envId, taskId }, MAX_TOTAL),
    input: z.strictObject({
      taskId: z.string().refine(isTrackingId, 'Expected the id of a task.').toLowerCase()
    }),
    kind: 'restore-dead-letters',
    runChunk: async (tx, group, { envId }, { taskId }, limit) =>
      (await restore(tx, group, { envId, taskId }, limit)).length
  }
  return [redriveKind, dropKind, restoreKind] as TaskKind[]
}

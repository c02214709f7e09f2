// Stops a task, where its kind lets it be stopped.

import type { Db } from '../../db/db.ts'
import { Problem } from '../../http/problem.ts'
import { isUserKind, type Task, type TaskKind, type TaskState } from './task.ts'
import { changeState, readTask } from './tasks.sql.ts'

const OPEN: readonly TaskState[] = ['queued', 'running', 'paused']

export const taskNotFound = (): Problem =>
  new Problem('not-found', 'The environment has no task with this id.')

/** @throws Problem `not-found`, or `conflict` if it ended or its kind is not stopped in its state */
export async function stopTask(
  db: Pick<Db, 'control'>,
  kinds: readonly TaskKind[],
  envId: string,
  id: string
): Promise<Task> {
  const before = await readTask(db.control, envId, id)
  const kind = kinds.find(one => one.kind === before?.kind)
  const userKind = kind && isUserKind(kind) ? kind : undefined
  const changed =
    before && (await changeState(db.control, envId, id, { from: userKind?.stopsFrom ?? OPEN, to: 'stopped' }))
  if (!changed) throw taskNotFound()
  const { isChanged, task } = changed
  if (isChanged) await userKind?.afterStop?.(task, userKind.input.parse(task.input))
  else if (task.state !== 'stopped')
    throw new Problem('conflict', `The task is ${task.state}, so it cannot be stopped.`)
  return task
}

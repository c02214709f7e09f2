// Pauses, resumes and stops a task, where its kind lets it.

import type { Db } from '../../db/db.ts'
import { Problem } from '../../http/problem.ts'
import { isStepped, type Task, type TaskKind, type TaskState } from './task.ts'
import { changeState, readTask } from './tasks.sql.ts'

export type TaskChange = 'pause' | 'resume' | 'stop'

export const OPEN_STATES: readonly TaskState[] = ['queued', 'running', 'paused']

/** The states from which a change leads to another one, and those in which it changes nothing. */
const CHANGES = {
  pause: { from: ['queued', 'running'], to: 'paused', unchanged: ['paused'] },
  resume: { from: ['paused'], to: 'queued', unchanged: ['queued', 'running'] },
  stop: { from: OPEN_STATES, to: 'stopped', unchanged: ['stopped'] }
} as const

export const taskNotFound = (): Problem =>
  new Problem('not-found', 'The environment has no task with this id.')

function statesFrom(change: TaskChange, kind: TaskKind | undefined): readonly TaskState[] {
  if (!kind || !isStepped(kind)) return CHANGES[change].from
  if (change === 'stop') return kind.stopsFrom
  return kind.canPause ? CHANGES[change].from : []
}

/**
 * @throws Problem `not-found`, or `conflict` if it ended or its kind cannot change so in its state
 */
export async function changeTask(
  db: Pick<Db, 'control'>,
  kinds: readonly TaskKind[],
  { envId, id }: Pick<Task, 'envId' | 'id'>,
  change: TaskChange
): Promise<Task> {
  const before = await readTask(db.control, envId, id)
  const kind = kinds.find(one => one.kind === before?.kind)
  const from = statesFrom(change, kind)
  const changed = before && (await changeState(db.control, envId, id, { from, to: CHANGES[change].to }))
  if (!changed) throw taskNotFound()
  const { isChanged, task } = changed
  if (isChanged && change === 'stop' && kind && isStepped(kind)) {
    await kind.afterStop?.(task, kind.input.parse(task.input))
  }
  const mayStay = from.length > 0 && CHANGES[change].unchanged.some(state => state === task.state)
  if (!isChanged && !mayStay) throw new Problem('conflict', `The task is ${task.state}, so it cannot change.`)
  return task
}

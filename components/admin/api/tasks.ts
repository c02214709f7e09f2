// Long work: rows in the database with progress, which survive a restart of a node.

import type { NewTask, Task, TaskPage } from '../../../server/client/tasks.ts'
import { path, type Answer } from './client.ts'
import type { AdminScope } from './scope.ts'

export type { Task } from '../../../server/client/tasks.ts'

export const isOpenTask = ({ state }: Task): boolean =>
  state === 'queued' || state === 'running' || state === 'paused'

export const listTasks = ({ api }: AdminScope, signal: AbortSignal): Promise<Answer<TaskPage>> =>
  api.get('/tasks', { query: { count: 10 }, signal })

export const readTask = ({ api }: AdminScope, id: string, signal?: AbortSignal): Promise<Answer<Task>> =>
  api.get(path`/tasks/${id}`, { signal })

export const createTask = ({ api }: AdminScope, task: NewTask): Promise<Answer<Task>> =>
  api.post('/tasks', { body: task })

export const controlTask = (
  { api }: AdminScope,
  id: string,
  action: 'pause' | 'resume' | 'stop'
): Promise<Answer<Task>> => api.post(path`/tasks/${id}/${action}`, { body: {} })

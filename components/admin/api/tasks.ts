// Long work: rows in the database with progress, which survive a restart of a node.

import { path, type Answer } from './client.ts'
import type { AdminScope } from './scope.ts'

export interface Task {
  readonly id: string
  readonly kind: string
  readonly state: 'queued' | 'running' | 'paused' | 'stopped' | 'done' | 'failed'
  readonly input: Readonly<Record<string, unknown>>
  /** Absent until it is counted. */
  readonly total?: number
  readonly isTotalAtLeast: boolean
  readonly done: number
  /** Messages that became dead letters again. Only of one task, not in a list. */
  readonly failed?: number
  readonly perSecond: number
  readonly createdBy: string
  readonly createdAt: string
  readonly endedAt?: string
  readonly error?: string
}

export const isOpenTask = ({ state }: Task): boolean =>
  state === 'queued' || state === 'running' || state === 'paused'

export const listTasks = (
  { api }: AdminScope,
  signal: AbortSignal
): Promise<Answer<{ readonly tasks: readonly Task[] }>> => api.get('/tasks', { query: { count: 10 }, signal })

export const readTask = ({ api }: AdminScope, id: string, signal?: AbortSignal): Promise<Answer<Task>> =>
  api.get(path`/tasks/${id}`, { signal })

export const createTask = (
  { api }: AdminScope,
  kind: string,
  input: object,
  perSecond?: number
): Promise<Answer<Task>> => api.post('/tasks', { body: { input, kind, perSecond } })

export const controlTask = (
  { api }: AdminScope,
  id: string,
  action: 'pause' | 'resume' | 'stop'
): Promise<Answer<Task>> => api.post(path`/tasks/${id}/${action}`, { body: {} })

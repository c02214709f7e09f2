// Tasks: long work of an environment, with progress, that survives restarts of the server.

import type { Call, CallOptions } from './call.ts'
import type { DeadLetterFilter } from './dead-letters.ts'
import type { Instant, PageOptions } from './names.ts'

export type TaskState = 'queued' | 'running' | 'paused' | 'stopped' | 'done' | 'failed'

/** What to do. A filter without fields selects all. */
export type NewTask =
  | {
      readonly kind: 'redrive-dead-letters' | 'drop-dead-letters'
      readonly input: { readonly filter: DeadLetterFilter }
      /** The most in a second, up to 1,000. Default: 100. */
      readonly perSecond?: number
    }
  | {
      readonly kind: 'restore-dead-letters'
      /** Id of the task that dropped them, within the last 24 hours. */
      readonly input: { readonly taskId: string }
      readonly perSecond?: number
    }

export interface Task {
  readonly id: string
  readonly kind: string
  readonly state: TaskState
  readonly input: Readonly<Record<string, unknown>>
  /** Absent until it is counted. */
  readonly total?: number
  /** The count stopped at 100,000. */
  readonly isTotalAtLeast: boolean
  readonly done: number
  /** Redriven messages that became dead letters again. Only of one task, not in a list. */
  readonly failed?: number
  /** 0: as fast as the database. */
  readonly perSecond: number
  /** What came of an export or erasure of a user. Until it ends: the id of the erasure. */
  readonly result?: Readonly<Record<string, unknown>>
  /** Actor of the audit log; `back-end` for a client secret or API key. */
  readonly createdBy: string
  readonly createdAt: Instant
  readonly startedAt?: Instant
  readonly endedAt?: Instant
  /** Why it failed. */
  readonly error?: string
}

export interface TaskPage {
  /** Newest first. */
  readonly tasks: readonly Task[]
  /** Cursor of the next page. Absent on the last page. */
  readonly next?: string
}

export const taskCalls = (call: Call) => ({
  /** Starts long work. Returns at once. */
  createTask: (task: NewTask, options?: CallOptions): Promise<Task> =>
    call({ body: task, method: 'POST', path: ['tasks'] }, options),

  listTasks: (
    filter: { readonly state?: TaskState } & PageOptions = {},
    options?: CallOptions
  ): Promise<TaskPage> => call({ method: 'GET', path: ['tasks'], query: { ...filter } }, options),

  getTask: (taskId: string, options?: CallOptions): Promise<Task> =>
    call({ method: 'GET', path: ['tasks', taskId] }, options),

  pauseTask: (taskId: string, options?: CallOptions): Promise<Task> =>
    call({ method: 'POST', path: ['tasks', taskId, 'pause'] }, options),

  resumeTask: (taskId: string, options?: CallOptions): Promise<Task> =>
    call({ method: 'POST', path: ['tasks', taskId, 'resume'] }, options),

  /** Ends a task for ever. What it did stays. */
  stopTask: (taskId: string, options?: CallOptions): Promise<Task> =>
    call({ method: 'POST', path: ['tasks', taskId, 'stop'] }, options)
})

// What a task is: its row, and what each kind of task does in one chunk.

import type { z } from 'zod'

import type { DatabaseGroup, Db, Json, Tx } from '../../db/db.ts'

export const TASK_STATES = ['queued', 'running', 'paused', 'stopped', 'done', 'failed'] as const
export type TaskState = (typeof TASK_STATES)[number]

export interface Task {
  readonly id: string
  readonly envId: string
  readonly kind: string
  readonly state: TaskState
  readonly input: Json
  /** Null until it is counted. */
  readonly total: number | null
  readonly isTotalAtLeast: boolean
  readonly perSecond: number
  readonly createdBy: string
  readonly createdAt: Date
  /** Nothing begins before. Null: at once. */
  readonly startAt: Date | null
  readonly startedAt: Date | null
  readonly endedAt: Date | null
  readonly error: string | null
  /** {@link digestUserId} of the user that it is about. Null: about no user */
  readonly userDigest: string | null
  readonly result: Json
}

/** A task that this process works on, until its lease ends or another process claims it. */
export interface ClaimedTask extends Task {
  /** Grows with each claim: a process that lost its claim can no longer change the task. */
  readonly fence: number
}

/** Where counts of a total stop. */
export const MAX_TOTAL = 100_000

/** Kinds that have no rate: as fast as the database. */
export const NO_RATE = 0

interface AnyKind<Input> {
  readonly kind: string
  /** Parses `input` of the request. The parsed value is not stored. */
  readonly input: z.ZodType<Input>
}

/**
 * Long work that consists of chunks: each is one transaction in one database group, and finds what is left by itself, so that a process
 * that ends at any moment repeats nothing.
 */
export interface ChunkedKind<Input = unknown> extends AnyKind<Input> {
  readonly maxPerSecond: number
  readonly defaultPerSecond: number
  /** Returns how much there is in the group, at most {@link MAX_TOTAL}. */
  count(group: DatabaseGroup, task: ClaimedTask, input: Input): Promise<number>
  /** Does at most `limit`. Ends the work in this group if it does less. @returns how much was done */
  runChunk(tx: Tx, group: DatabaseGroup, task: ClaimedTask, input: Input, limit: number): Promise<number>
  /** Called after the commit of each chunk. */
  afterChunk?(): void
  /** Returns how much of what was done failed later. */
  countFailed?(db: Db, task: Task): Promise<number>
}

/** Long work that orders its steps itself. Created by routes of its own. */
export interface SteppedKind<Input = unknown> extends AnyKind<Input> {
  /** States in which it can be stopped. */
  readonly stopsFrom: readonly TaskState[]
  readonly canPause?: true
  /** The task forgets its user when it is done. */
  readonly forgetsUser?: true
  /**
   * Does the work, or continues it after the process before ended in the middle.
   *
   * @param signal - aborts if the task was paused, stopped or claimed by another process, or this process ends; the work then throws
   * @returns the result for `tasks.result`
   * @throws TaskFailure with the reason that callers see
   */
  run(task: ClaimedTask, input: Input, signal: AbortSignal): Promise<Json>
  /** Called after the task was stopped. */
  afterStop?(task: Task, input: Input): Promise<void>
}

export interface UserInput {
  readonly userId: string
}

/** Long work about one user. */
export type UserKind = SteppedKind<UserInput>

export type TaskKind<Input = unknown> = ChunkedKind<Input> | SteppedKind<Input>

export const isStepped = <Input>(kind: TaskKind<Input>): kind is SteppedKind<Input> => 'run' in kind

/** Ends a task with a reason that callers see. */
export class TaskFailure extends Error {}

// Tasks in the database: created, claimed with a lease and a fence, and ended. What was done is added in the transaction that does it.

import type { Db, DatabaseGroup, Json, Query, Tx } from '../../db/db.ts'
import { inGroup } from '../../db/sql-helpers.ts'
import type { ClaimedTask, Task, TaskState } from './task.ts'

/** A process that ended without a word loses its task after this time. */
const LEASE_SECONDS = 10

const columns = (query: Query) => query`
  id, env_id as "envId", kind, state, input, total, is_total_at_least as "isTotalAtLeast", per_second as "perSecond",
  created_by as "createdBy", created_at as "createdAt", start_at as "startAt", started_at as "startedAt", ended_at as "endedAt", error,
  user_digest as "userDigest", result`

export type NewTask = Pick<Task, 'id' | 'envId' | 'kind' | 'input' | 'perSecond' | 'createdBy'> &
  Partial<Pick<Task, 'userDigest'>> & {
    /** Nothing begins before. Default: at once. */
    readonly startAt?: Date | undefined
  }

/** Broadcasts wait for each other, and not for other tasks; likewise they are counted. */
export const BROADCAST = 'broadcast'
/** A message that was a mistake waits for no other work. */
export const RETRACT_BROADCAST = 'retract-broadcast'

/** Kinds of which each has a queue of its own. All others share one. */
const OWN_QUEUES = [BROADCAST, RETRACT_BROADCAST]

const isSameQueue = (query: Query, one: string, other: string) => query`
  (${query(one)} = ${query(other)}
    or ${query(one)} <> all(${OWN_QUEUES}::text[]) and ${query(other)} <> all(${OWN_QUEUES}::text[]))`

/** @returns undefined if the environment has `maxOpen` tasks of this sort that have not ended */
export async function insertTask(query: Query, task: NewTask, maxOpen: number): Promise<Task | undefined> {
  const [row] = await query<Task[]>`
    insert into tasks (id, env_id, kind, state, input, per_second, created_by, user_digest, start_at)
    select ${task.id}::uuid, e.id, ${task.kind}, 'queued', ${JSON.stringify(task.input)}::text::jsonb, ${task.perSecond},
      ${task.createdBy}, ${task.userDigest ?? null}, ${task.startAt?.toISOString() ?? null}::timestamptz
    from environments e
    where e.id = ${task.envId} and ${maxOpen}::integer > (
      select count(*) from (
        select from tasks o
        where o.env_id = e.id and o.state in ('queued', 'running', 'paused')
          and (o.kind = ${BROADCAST}) = ${task.kind === BROADCAST}
        limit ${maxOpen}) open)
    returning ${columns(query)}`
  return row
}

export async function readTask(query: Query, envId: string, id: string): Promise<Task | undefined> {
  const [row] = await query<
    Task[]
  >`select ${columns(query)} from tasks where env_id = ${envId} and id = ${id}`
  return row
}

export interface TaskList {
  /** Last id of the page before. */
  readonly before: string | undefined
  /** Only broadcasts, or only others. */
  readonly isBroadcast: boolean
  readonly state: TaskState | undefined
}

/** Returns one page, the newest first. */
export const listTasks = (
  query: Query,
  envId: string,
  { before, isBroadcast, state }: TaskList,
  limit: number
): Promise<Task[]> => query<Task[]>`
  select ${columns(query)} from tasks
  where env_id = ${envId} and id < ${before ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff'}::uuid
    and (kind = ${BROADCAST}) = ${isBroadcast} and (${state ?? null}::text is null or state = ${state ?? null})
  order by id desc limit ${limit}`

export interface StateChange {
  readonly from: readonly TaskState[]
  readonly to: 'paused' | 'queued' | 'stopped'
}

/** @returns the task, also if it was in another state than `from` and stays so; undefined if there is none */
export async function changeState(
  query: Query,
  envId: string,
  id: string,
  { from, to }: StateChange
): Promise<{ readonly task: Task; readonly isChanged: boolean } | undefined> {
  const [changed] = await query<Task[]>`
    update tasks set state = ${to}, ended_at = case when ${to} = 'stopped' then now() end
    where env_id = ${envId} and id = ${id} and state = any(${from as TaskState[]}::text[])
    returning ${columns(query)}`
  if (changed) return { isChanged: true, task: changed }
  const task = await readTask(query, envId, id)
  return task && { isChanged: false, task }
}

/** Returns tasks about one user, the newest first. @param ofKind - only open ones of this kind. Default: all */
export const listUserTasks = (
  query: Query,
  { envId, userDigest }: { readonly envId: string; readonly userDigest: string },
  limit: number,
  ofKind: string | null = null
): Promise<Task[]> => query<Task[]>`
  select ${columns(query)} from tasks
  where env_id = ${envId} and user_digest = ${userDigest}
    and (${ofKind}::text is null or kind = ${ofKind} and state in ('queued', 'running'))
  order by id desc limit ${limit}`

/**
 * Claims the oldest task that waits, or whose process has ended. One environment has one task at work, one about a user beside it, so
 * that an erasure does not wait for a slow redrive, and one broadcast.
 */
export async function claimTask(query: Query, kinds: readonly string[]): Promise<ClaimedTask | undefined> {
  const [row] = await query<ClaimedTask[]>`
    update tasks set state = 'running', fence = fence + 1, lease_until = now() + ${LEASE_SECONDS} * interval '1 second',
      started_at = coalesce(started_at, now())
    where id = (
      select t.id from tasks t
      where t.kind = any(${kinds as string[]}::text[])
        and (t.state = 'queued' or t.state = 'running' and t.lease_until < now())
        and (t.start_at is null or t.start_at <= now())
        and not exists (
          select from tasks r
          where r.env_id = t.env_id and r.id <> t.id and r.state = 'running' and r.lease_until >= now()
            and (r.user_digest is null) = (t.user_digest is null) and ${isSameQueue(query, 'r.kind', 't.kind')})
      order by t.id limit 1 for update of t skip locked)
    returning ${columns(query)}, fence`
  return row
}

/** Begins the lease again. @returns false if the task was paused, stopped or claimed by another process */
export async function renewLease(query: Query, { fence, id }: ClaimedTask): Promise<boolean> {
  const renewed = await query`
    update tasks set lease_until = now() + ${LEASE_SECONDS} * interval '1 second'
    where id = ${id} and fence = ${fence} and state = 'running'`
  return renewed.count === 1
}

export async function writeTotal(
  query: Query,
  { fence, id }: ClaimedTask,
  total: number,
  isAtLeast: boolean
): Promise<void> {
  await query`
    update tasks set total = ${total}, is_total_at_least = ${isAtLeast}
    where id = ${id} and fence = ${fence} and total is null`
}

export interface TaskEnd {
  /** Why it failed. Absent: it is done. */
  readonly error?: string
  readonly result?: Json
  /** Empties the input, because it names an erased user. */
  readonly forgetsInput?: boolean
}

export async function endTask(
  query: Query,
  { fence, id }: ClaimedTask,
  { error, forgetsInput = false, result }: TaskEnd = {}
): Promise<void> {
  await query`
    update tasks set state = ${error === undefined ? 'done' : 'failed'}, ended_at = now(), error = ${error ?? null},
      result = coalesce(${result === undefined ? null : JSON.stringify(result)}::text::jsonb, result),
      input = case when ${forgetsInput} then '{}' else input end
    where id = ${id} and fence = ${fence} and state = 'running'`
}

/** Leaves a task to another process. */
export async function returnTask(query: Query, { fence, id }: ClaimedTask): Promise<void> {
  await query`update tasks set state = 'queued' where id = ${id} and fence = ${fence} and state = 'running'`
}

/** Adds to the progress of a task, in the transaction that did the work. @param bucket - any of the group */
export async function addProgress(
  tx: Tx,
  bucket: number,
  { envId, id }: Pick<Task, 'envId' | 'id'>,
  count: number
): Promise<void> {
  if (count === 0) return
  await tx`
    insert into task_progress as p (bucket, task_id, env_id, done) values (${bucket}, ${id}, ${envId}, ${count})
    on conflict (bucket, task_id) do update set done = p.done + excluded.done`
}

/** Starts the progress of a task again, which has to repeat what another process began. */
export async function resetProgress(
  group: DatabaseGroup,
  bucket: number,
  { id }: Pick<Task, 'id'>
): Promise<void> {
  await group.work`update task_progress set done = 0 where bucket = ${bucket} and task_id = ${id}`
}

/** Stores what the next process needs to continue a task. */
export async function writeResult(query: Query, { fence, id }: ClaimedTask, result: Json): Promise<void> {
  await query`
    update tasks set result = ${JSON.stringify(result)}::text::jsonb where id = ${id} and fence = ${fence}`
}

/** Removes the id of an erased user from tasks that ended, and the tasks that exported the user. */
export async function forgetUser(
  query: Query,
  { envId, userDigest }: { readonly envId: string; readonly userDigest: string }
): Promise<void> {
  await query`delete from tasks where env_id = ${envId} and user_digest = ${userDigest} and kind = 'export-user'`
  await query`
    update tasks set input = '{}' where env_id = ${envId} and user_digest = ${userDigest} and ended_at is not null`
}

/** Returns what the tasks have done, by id. */
export async function readProgress(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const found = await Promise.all(db.groups.map(group => readGroupProgress(group, ids)))
  const sums = new Map<string, number>()
  for (const { done, id } of found.flat()) sums.set(id, (sums.get(id) ?? 0) + done)
  return sums
}

const readGroupProgress = (group: DatabaseGroup, ids: readonly string[]) => group.sql<
  { id: string; done: number }[]
>`
  select task_id as id, sum(done)::bigint as done from task_progress
  where ${inGroup(group)} and task_id = any(${ids as string[]}::uuid[]) group by task_id`

const BATCH_SIZE = 1000

/** Deletes tasks that ended long ago. @returns how many; call again until it is 0 */
export async function deleteOldTasks(query: Query, days: number): Promise<number> {
  const gone = await query`
    delete from tasks where id in (
      select id from tasks where ended_at < now() - ${days} * interval '1 day' limit ${BATCH_SIZE})`
  return gone.count
}

/** Likewise, of their progress. */
export async function deleteOldProgress(group: DatabaseGroup, days: number): Promise<number> {
  const gone = await group.work`
    with old as materialized (
      select bucket, task_id from task_progress
      where ${inGroup(group)} and task_id < uuid_at(now() - ${days} * interval '1 day') limit ${BATCH_SIZE})
    delete from task_progress p using old
    where ${inGroup(group, 'p')} and p.bucket = old.bucket and p.task_id = old.task_id`
  return gone.count
}

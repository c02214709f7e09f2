// Exports that a task stores, in parts, for a day. The row of the export is the lock of its parts: without it no part is written.

import type { UserKey } from '../../core/id.ts'
import type { DatabaseGroup } from '../../db/db.ts'
import { inGroup } from '../../db/sql-helpers.ts'
import { transact } from '../../db/transact.ts'
import type { ClaimedTask, Task } from '../../environments/tasks/task.ts'
import { addProgress } from '../../environments/tasks/tasks.sql.ts'

/** From the start of the export. */
export const EXPORT_HOURS = 24

export const EXPORT_PART_BYTES = 256 * 1024

/** Starts an export, and deletes what an earlier process stored for the same task. */
export const startExport = (
  group: DatabaseGroup,
  { bucket, envId, userId }: UserKey,
  { fence, id }: ClaimedTask
): Promise<void> =>
  transact({ sql: group.work }, async tx => {
    await tx`delete from user_exports where bucket = ${bucket} and task_id = ${id}`
    await tx`delete from user_export_parts where bucket = ${bucket} and task_id = ${id}`
    await tx`
      insert into user_exports (bucket, task_id, env_id, user_id, fence)
      values (${bucket}, ${id}, ${envId}, ${userId}, ${fence})`
  })

/** Stores a part, and adds the rows that it ends to the progress. @returns false if the export was deleted or begun again */
export const storeExportPart = (
  group: DatabaseGroup,
  { bucket }: Pick<UserKey, 'bucket'>,
  task: ClaimedTask,
  { content, part, rowCount }: { readonly content: Buffer; readonly part: number; readonly rowCount: number }
): Promise<boolean> =>
  transact({ sql: group.work }, async tx => {
    const { count } = await tx`
      insert into user_export_parts (bucket, task_id, part, env_id, user_id, content)
      select bucket, task_id, ${part}::integer, env_id, user_id, ${content}::bytea from user_exports
      where bucket = ${bucket} and task_id = ${task.id} and fence = ${task.fence} for key share`
    if (count > 0) await addProgress(tx, bucket, task, rowCount)
    return count > 0
  })

/** Makes an export readable. @returns until when; undefined if it was deleted or begun again */
export async function completeExport(
  { work }: DatabaseGroup,
  { bucket }: Pick<UserKey, 'bucket'>,
  { fence, id }: ClaimedTask,
  bytes: number
): Promise<Date | undefined> {
  const [row] = await work<{ until: Date }[]>`
    with complete as (
      update user_exports set bytes = ${bytes}
      where bucket = ${bucket} and task_id = ${id} and fence = ${fence}
      returning created_at)
    select created_at + ${EXPORT_HOURS} * interval '1 hour' as until from complete`
  return row?.until
}

export const deleteExport = (
  group: DatabaseGroup,
  { bucket }: Pick<UserKey, 'bucket'>,
  { id }: Pick<Task, 'id'>
): Promise<void> =>
  transact({ sql: group.work }, async tx => {
    await tx`delete from user_exports where bucket = ${bucket} and task_id = ${id}`
    await tx`delete from user_export_parts where bucket = ${bucket} and task_id = ${id}`
  })

/** @returns the size in bytes; undefined if there is no complete export of the user in this task */
export async function readExportBytes(
  { sql }: DatabaseGroup,
  { bucket, envId, userId }: UserKey,
  taskId: string
): Promise<number | undefined> {
  const [row] = await sql<{ bytes: number }[]>`
    select bytes from user_exports
    where bucket = ${bucket} and task_id = ${taskId} and env_id = ${envId} and user_id = ${userId} and bytes is not null
      and created_at > now() - ${EXPORT_HOURS} * interval '1 hour'`
  return row?.bytes
}

/** Yields the parts, one query for each. @throws Error if a part is missing, because the export or its user was deleted */
export async function* readExportParts(
  { sql }: DatabaseGroup,
  { bucket }: Pick<UserKey, 'bucket'>,
  taskId: string,
  bytes: number
): AsyncGenerator<Buffer> {
  for (let part = 0, left = bytes; left > 0; part++) {
    const [row] = await sql<{ content: Buffer }[]>`
      select content from user_export_parts where bucket = ${bucket} and task_id = ${taskId} and part = ${part}`
    if (!row) throw new Error('A part of an export was deleted.')
    left -= row.content.length
    yield row.content
  }
}

/** Each may have a thousand parts. */
const BATCH_SIZE = 10

/** Deletes exports whose time has passed. @returns how many; call again until it is 0 */
export const deleteOldExports = (group: DatabaseGroup): Promise<number> =>
  transact({ sql: group.work }, async tx => {
    const old = await tx<{ bucket: number; id: string }[]>`
      delete from user_exports e using (
        select bucket, task_id from user_exports
        where ${inGroup(group)} and created_at < now() - ${EXPORT_HOURS} * interval '1 hour' limit ${BATCH_SIZE}) old
      where ${inGroup(group, 'e')} and e.bucket = old.bucket and e.task_id = old.task_id
      returning e.bucket, e.task_id as id`
    for (const { bucket, id } of old)
      await tx`delete from user_export_parts where bucket = ${bucket} and task_id = ${id}`
    return old.length
  })

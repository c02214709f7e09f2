// Stores fetched attachments in parts: written while they arrive, read while the email leaves, and deleted with the last
// row that needs them.

import { createHash } from 'node:crypto'

import type { DatabaseGroup, Json } from '../../db/db.ts'
import { inGroup } from '../../db/sql-helpers.ts'
import type { FinishPart } from '../../queue/finish.sql.ts'

export interface AttachmentOwner {
  readonly bucket: number
  readonly envId: string
  readonly userId: string
  /** Tracking id. */
  readonly sendId: string
}

/** A row of the queue FETCH. */
export interface Fetcher extends AttachmentOwner {
  /** Id of the outbox row. Attachments are stored only while the row exists. */
  readonly rowId: string
}

export interface StoredFile {
  /** {@link attachmentKey} of its address. */
  readonly key: string
  readonly fetchId: string
  /** Size before the encoding. */
  readonly bytes: number
  /** Media type from the server of the file. */
  readonly type: string | null
}

export interface AvailableFile extends StoredFile {
  readonly sendId: string
}

/** A hash, because addresses may be longer than an index row. */
export const attachmentKey = (url: string): string => createHash('sha256').update(url).digest('base64url')

export const PART_BYTES = 64 * 1024

/**
 * Reads the files that are complete, each once.
 *
 * @param others - further sends of the same user whose files may be used
 */
export const readAvailableFiles = (
  { work }: DatabaseGroup,
  { bucket, sendId }: Pick<AttachmentOwner, 'bucket' | 'sendId'>,
  others: readonly string[] = []
): Promise<AvailableFile[]> => work<AvailableFile[]>`
  select distinct on (key) key, send_id as "sendId", fetch_id as "fetchId", bytes, type from attachments
  where bucket = ${bucket} and send_id = any(${[sendId, ...others]}::uuid[]) order by key, send_id`

export async function storePart(
  { work }: DatabaseGroup,
  { bucket, envId, rowId, sendId, userId }: Fetcher,
  fetchId: string,
  part: number,
  content: Buffer
): Promise<void> {
  await work`
    insert into attachment_parts (bucket, send_id, fetch_id, part, env_id, user_id, content)
    select o.bucket, ${sendId}, ${fetchId}, ${part}, ${envId}, ${userId}, ${content}
    from outbox o where o.bucket = ${bucket} and o.id = ${rowId} for key share`
}

/** Marks a file as complete. If another fetch of the same address was faster, that file stays. */
export async function storeFile(
  { work }: DatabaseGroup,
  { bucket, envId, rowId, sendId, userId }: Fetcher,
  { key, fetchId, bytes, type }: StoredFile
): Promise<void> {
  await work`
    insert into attachments (bucket, send_id, key, env_id, user_id, fetch_id, bytes, type)
    select o.bucket, ${sendId}, ${key}, ${envId}, ${userId}, ${fetchId}, ${bytes}, ${type}
    from outbox o where o.bucket = ${bucket} and o.id = ${rowId} for key share
    on conflict (bucket, send_id, key) do nothing`
}

export async function deleteParts(
  { work }: DatabaseGroup,
  { bucket, sendId }: Pick<AttachmentOwner, 'bucket' | 'sendId'>,
  fetchId: string
): Promise<void> {
  await work`
    delete from attachment_parts where bucket = ${bucket} and send_id = ${sendId} and fetch_id = ${fetchId}`
}

/** Yields the parts of a file, one query for each. @throws Error if a part is missing */
export async function* readParts(
  { work }: DatabaseGroup,
  bucket: number,
  { bytes, fetchId, sendId }: AvailableFile
): AsyncGenerator<Buffer> {
  for (let part = 0, left = bytes; left > 0; part++) {
    const [row] = await work<{ content: Buffer }[]>`
      select content from attachment_parts
      where bucket = ${bucket} and send_id = ${sendId} and fetch_id = ${fetchId} and part = ${part}`
    if (!row) throw new Error('A part of an attachment was deleted.')
    left -= row.content.length
    yield row.content
  }
}

/** @returns bytes of files that wait for an email that is queued now, without those of schedules and digests */
export async function readWaitingBytes(group: DatabaseGroup): Promise<number> {
  const [row] = await group.work<{ bytes: number }[]>`
    select coalesce(sum(a.bytes), 0)::float8 as bytes from attachments a
    where ${inGroup(group, 'a')}
      and exists (
        select from outbox o
        where ${inGroup(group, 'o')}
          and o.bucket = a.bucket and o.send_id = a.send_id and o.queue in ('EMAIL', 'FETCH'))`
  return row!.bytes
}

/** Whether a schedule, a digest or a delayed email still waits for files that are fetched ahead. */
export async function isAwaited(
  { work }: DatabaseGroup,
  { bucket, envId, sendId, userId }: AttachmentOwner
): Promise<boolean> {
  const [row] = await work<{ awaited: boolean }[]>`
    select exists (select from outbox where bucket = ${bucket} and id = ${sendId} and queue = 'SCHEDULE') or exists (
      select from outbox where bucket = ${bucket} and send_id = ${sendId} and queue = 'ESCALATE') or exists (
      select from digest_items
      where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId} and id = ${sendId}) as awaited`
  return row!.awaited
}

const DELETE_BATCH_SIZE = 200
/** Younger files may belong to a fetch in progress. */
const MIN_AGE_HOURS = 1

/**
 * Deletes files whose send has neither an outbox row, a dead letter nor a digest item.
 *
 * @returns the number of deleted parts and files; call again until it is 0
 */
export async function deleteOrphanedAttachments(group: DatabaseGroup): Promise<number> {
  const [row] = await group.work<{ count: number }[]>`
    with sends as materialized (
      select distinct p.bucket, p.send_id
      from (
        select bucket, send_id, fetch_id from attachment_parts
        where ${inGroup(group)}
        union all
        -- An empty file has no parts.
        select bucket, send_id, fetch_id from attachments
        where ${inGroup(group)} and bytes = 0) p
      where p.fetch_id < uuid_at(now() - ${MIN_AGE_HOURS} * interval '1 hour')
        and not exists (
          select from outbox o
          where ${inGroup(group, 'o')} and o.bucket = p.bucket and o.send_id = p.send_id)
        and not exists (
          select from dead_letters d
          where ${inGroup(group, 'd')} and d.bucket = p.bucket and d.send_id = p.send_id)
        and not exists (
          select from dropped_letters d
          where ${inGroup(group, 'd')} and d.bucket = p.bucket and d.send_id = p.send_id)
        and not exists (
          select from digest_items i
          where ${inGroup(group, 'i')} and i.bucket = p.bucket and i.id = p.send_id)
        and not exists (
          select from outbox o
          where ${inGroup(group, 'o')}
            and o.bucket = p.bucket and o.queue in ('FETCH', 'EMAIL', 'HELD') and o.body -> 'sends' ? p.send_id::text)
        and not exists (
          select from dead_letters d
          where ${inGroup(group, 'd')} and d.bucket = p.bucket and d.body -> 'sends' ? p.send_id::text)
        and not exists (
          select from dropped_letters d
          where ${inGroup(group, 'd')} and d.bucket = p.bucket and d.body -> 'sends' ? p.send_id::text)
      limit ${DELETE_BATCH_SIZE}),
    files as (
      delete from attachments a using sends s
      where ${inGroup(group, 'a')} and a.bucket = s.bucket and a.send_id = s.send_id
      returning 1),
    parts as (
      delete from attachment_parts p using sends s
      where ${inGroup(group, 'p')} and p.bucket = s.bucket and p.send_id = s.send_id
      returning 1)
    select ((select count(*) from parts) + (select count(*) from files))::integer as count`
  return row!.count
}

/** An email whose files were fetched. */
const hasFiles = (body: Json): boolean => typeof body === 'object' && body !== null && 'files' in body

/** Deletes the files of an email in the statement that removes its row. A dead letter keeps its files for a redrive. */
export const attachmentCleanup: FinishPart = {
  defineColumns: query => query`has_files boolean`,
  isNeeded: results => results.some(({ row }) => hasFiles(row.body)),
  isOptional: false,
  statements: group => ({
    deleted_files: group.work`
      delete from attachments a using removed o
      join result r on r.bucket = o.bucket and r.id = o.id and r.claim_count = o.claim_count
      where ${inGroup(group, 'a')} and r.has_files and a.bucket = r.bucket and a.send_id = r.send_id`,
    deleted_parts: group.work`
      delete from attachment_parts p using removed o
      join result r on r.bucket = o.bucket and r.id = o.id and r.claim_count = o.claim_count
      where ${inGroup(group, 'p')} and r.has_files and p.bucket = r.bucket and p.send_id = r.send_id`
  }),
  toColumns: ({ isDeadLetter, row }) => ({ has_files: hasFiles(row.body) && !isDeadLetter })
}

// Fetched files in pieces: written while they arrive, read while they leave, gone with the last row that needs them.

import { createHash } from 'node:crypto'

import type { Group } from '../../db/db.ts'

/** A send of a user. */
export interface Owner {
  readonly bucket: number
  readonly envId: string
  readonly userId: string
  /** Tracking id. */
  readonly sendId: string
}

/** Whoever fetches for a send. */
export interface Fetcher extends Owner {
  /** Of the row of the queue: what is fetched is stored only while it is there. */
  readonly rowId: string
}

export interface StoredFile {
  /** Of its address: {@link keyOf}. */
  readonly key: string
  readonly fetchId: string
  /** As it is, not encoded. */
  readonly bytes: number
  /** Media type as its server named it. */
  readonly type: string | null
}

export interface KeptFile extends StoredFile {
  /** The send that fetched it. */
  readonly sendId: string
}

/** Addresses may be longer than an index row. */
export const keyOf = (url: string): string => createHash('sha256').update(url).digest('base64url')

/** Bytes of a piece. */
export const PIECE = 64 * 1024

/**
 * Files that are there as a whole, each once.
 *
 * @param others - of the same user: sends whose files will do as well
 */
export const storedFiles = (
  { work }: Group,
  { bucket, sendId }: Pick<Owner, 'bucket' | 'sendId'>,
  others: readonly string[] = []
): Promise<KeptFile[]> => work<KeptFile[]>`
  select distinct on (key) key, send_id as "sendId", fetch_id as "fetchId", bytes, type from attachments
  where bucket = ${bucket} and send_id = any(${[sendId, ...others]}::uuid[]) order by key, send_id`

export async function storePiece(
  { work }: Group,
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

/** From now on the file is there. Where another fetch was quicker, that one stays. */
export async function storeFile(
  { work }: Group,
  { bucket, envId, rowId, sendId, userId }: Fetcher,
  { key, fetchId, bytes, type }: StoredFile
): Promise<void> {
  await work`
    insert into attachments (bucket, send_id, key, env_id, user_id, fetch_id, bytes, type)
    select o.bucket, ${sendId}, ${key}, ${envId}, ${userId}, ${fetchId}, ${bytes}, ${type}
    from outbox o where o.bucket = ${bucket} and o.id = ${rowId} for key share
    on conflict (bucket, send_id, key) do nothing`
}

/** Of a fetch that failed. */
export async function dropPieces(
  { work }: Group,
  { bucket, sendId }: Pick<Owner, 'bucket' | 'sendId'>,
  fetchId: string
): Promise<void> {
  await work`
    delete from attachment_parts where bucket = ${bucket} and send_id = ${sendId} and fetch_id = ${fetchId}`
}

/** One piece after the other, as the reader wants them. @throws where one is missing */
export async function* readPieces(
  { work }: Group,
  bucket: number,
  { bytes, fetchId, sendId }: KeptFile
): AsyncGenerator<Buffer> {
  for (let part = 0, left = bytes; left > 0; part++) {
    const [row] = await work<{ content: Buffer }[]>`
      select content from attachment_parts
      where bucket = ${bucket} and send_id = ${sendId} and fetch_id = ${fetchId} and part = ${part}`
    if (!row) throw new Error('A piece of a file is gone.')
    left -= row.content.length
    yield row.content
  }
}

/** Bytes of files that are here for mails of now; not of those that are for later. */
export async function waitingBytes({ buckets, work }: Group): Promise<number> {
  const [row] = await work<{ bytes: number }[]>`
    select coalesce(sum(a.bytes), 0)::float8 as bytes from attachments a
    where (${buckets}::smallint[] is null or a.bucket = any(${buckets}::smallint[]))
      and exists (
        select from outbox o
        where (${buckets}::smallint[] is null or o.bucket = any(${buckets}::smallint[]))
          and o.bucket = a.bucket and o.send_id = a.send_id and o.queue in ('EMAIL', 'FETCH'))`
  return row!.bytes
}

/** Whether a schedule or a digest still waits for the files that are fetched in advance. */
export async function isAwaited({ work }: Group, { bucket, envId, sendId, userId }: Owner): Promise<boolean> {
  const [row] = await work<{ awaited: boolean }[]>`
    select exists (select from outbox where bucket = ${bucket} and id = ${sendId} and queue = 'SCHEDULE') or exists (
      select from digest_items
      where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId} and id = ${sendId}) as awaited`
  return row!.awaited
}

const BATCH = 200
/** Fetches may be under way for so long. */
const HOURS = 1

/**
 * Deletes what nobody needs any more: files without a row of the queue or a dead letter of their send.
 *
 * @returns how many pieces and files; call again until it is 0
 */
export async function deleteOrphans({ buckets, work }: Group): Promise<number> {
  const [row] = await work<{ count: number }[]>`
    with sends as materialized (
      select distinct p.bucket, p.send_id
      from (
        select bucket, send_id, fetch_id from attachment_parts
        where (${buckets}::smallint[] is null or bucket = any(${buckets}::smallint[]))
        union all
        -- An empty one has no pieces.
        select bucket, send_id, fetch_id from attachments
        where (${buckets}::smallint[] is null or bucket = any(${buckets}::smallint[])) and bytes = 0) p
      where p.fetch_id < uuid_at(now() - ${HOURS} * interval '1 hour')
        and not exists (
          select from outbox o
          where (${buckets}::smallint[] is null or o.bucket = any(${buckets}::smallint[]))
            and o.bucket = p.bucket and o.send_id = p.send_id)
        and not exists (
          select from dead_letters d
          where (${buckets}::smallint[] is null or d.bucket = any(${buckets}::smallint[]))
            and d.bucket = p.bucket and d.send_id = p.send_id)
        and not exists (
          select from digest_items i
          where (${buckets}::smallint[] is null or i.bucket = any(${buckets}::smallint[]))
            and i.bucket = p.bucket and i.id = p.send_id)
        and not exists (
          select from outbox o
          where (${buckets}::smallint[] is null or o.bucket = any(${buckets}::smallint[]))
            and o.bucket = p.bucket and o.queue in ('FETCH', 'EMAIL') and o.body -> 'sends' ? p.send_id::text)
        and not exists (
          select from dead_letters d
          where (${buckets}::smallint[] is null or d.bucket = any(${buckets}::smallint[]))
            and d.bucket = p.bucket and d.body -> 'sends' ? p.send_id::text)
      limit ${BATCH}),
    files as (
      delete from attachments a using sends s
      where (${buckets}::smallint[] is null or a.bucket = any(${buckets}::smallint[]))
        and a.bucket = s.bucket and a.send_id = s.send_id
      returning 1),
    parts as (
      delete from attachment_parts p using sends s
      where (${buckets}::smallint[] is null or p.bucket = any(${buckets}::smallint[]))
        and p.bucket = s.bucket and p.send_id = s.send_id
      returning 1)
    select ((select count(*) from parts) + (select count(*) from files))::integer as count`
  return row!.count
}

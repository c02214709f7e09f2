// Reads what needs somebody in an environment: messages that could not be sent, keys and secrets that end soon, and the database's size.

import type { DatabaseGroup, Query } from '../../db/db.ts'
import { inGroup } from '../../db/sql-helpers.ts'

/** Decisions that mean work for an editor or operator. */
export const UNSENDABLE = [
  'no-template',
  'render-failed',
  'too-long',
  'attachment-too-large',
  'no-provider'
] as const

export interface UnsendableCount {
  readonly type: string
  readonly channel: string
  readonly decision: (typeof UNSENDABLE)[number]
  readonly count: number
}

/** Counts since the beginning of yesterday, the most first. @param bucket - that of the sums of the group */
export const readUnsendable = (
  group: Pick<DatabaseGroup, 'buckets' | 'sql'>,
  bucket: number,
  envId: string,
  limit: number
): Promise<UnsendableCount[]> => group.sql<UnsendableCount[]>`
  select notification_id as type, channel, result as decision, sum(count)::bigint as count from log_counts
  where ${inGroup(group)} and bucket = ${bucket} and env_id = ${envId}
    and day >= (now() at time zone 'UTC')::date - 1 and result = any(${UNSENDABLE as unknown as string[]}::text[])
  group by 1, 2, 3 order by count desc, 1, 2, 3 limit ${limit}`

export interface TypeTitle {
  readonly id: string
  readonly title: string
  /** Channels with a default template. */
  readonly channels: readonly string[]
}

export const readTypeTitles = (query: Query, envId: string, ids: readonly string[]): Promise<TypeTitle[]> =>
  query<TypeTitle[]>`
    select n.id, n.title, array(
      select t.channel from templates t
      where t.env_id = n.env_id and t.notification_id = n.id and t.id = '') as channels
    from notifications n where n.env_id = ${envId} and n.id = any(${ids as string[]}::text[])`

export interface EndingKey {
  readonly id: string
  readonly name: string
  readonly expiresAt: Date
}

/** Returns the API keys that end within `days`, the first one first. */
export const readEndingKeys = (
  query: Query,
  envId: string,
  days: number,
  limit: number
): Promise<EndingKey[]> =>
  query<EndingKey[]>`
    select id, name, expires_at as "expiresAt" from api_keys
    where env_id = ${envId} and revoked_at is null and expires_at > now()
      and expires_at < now() + ${days} * interval '1 day'
    order by expires_at, id limit ${limit}`

/** @returns when the previous client secret ends; undefined if it has ended */
export async function readSecretEnd(query: Query, envId: string): Promise<Date | undefined> {
  const [row] = await query<{ until: Date }[]>`
    select previous_until as until from environments where id = ${envId} and previous_until > now()`
  return row?.until
}

/** Asks the file system about each file of the database. Do not call it more often than every minute. */
export async function readDatabaseSize(query: Query): Promise<number> {
  const [row] = await query<{ bytes: number }[]>`select pg_database_size(current_database())::bigint as bytes`
  return row!.bytes
}

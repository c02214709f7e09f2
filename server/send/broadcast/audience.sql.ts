// Reads the users of a broadcast in the order of their buckets and ids, and counts them.

import type { DatabaseGroup, Fragment, Query } from '../../db/db.ts'
import { inGroup } from '../../db/sql-helpers.ts'
import type { Audience } from './schema.ts'

/** The last user that was read. */
export interface Cursor {
  readonly bucket: number
  /** '' before the first user of the bucket. */
  readonly userId: string
}

export interface AudienceUser extends Cursor {
  /** False for a user that was read and does not belong to the audience. */
  readonly isIncluded: boolean
}

export interface AudienceKey {
  readonly envId: string
  readonly to: Audience
  /** Who came later is left out, so that a broadcast ends. */
  readonly until: Date
}

const propertiesOf = (to: Audience): string | null =>
  'properties' in to ? JSON.stringify(to.properties) : null

const source = (query: Query, { envId, to, until }: AudienceKey): Fragment =>
  'topic' in to
    ? query`
      select bucket, user_id as id, true as is_included from topic_members
      where env_id = ${envId} and topic_id = ${to.topic} and added_at <= ${until.toISOString()}::timestamptz`
    : query`
      select bucket, id, (${propertiesOf(to)}::text is null or properties @> ${propertiesOf(to)}::text::jsonb) as is_included
      from users where env_id = ${envId} and created_at <= ${until.toISOString()}::timestamptz`

/**
 * Returns the next users, at most `limit`. Users with other properties are read too, so that a statement never looks for long.
 *
 * @param buckets - in ascending order, beginning with that of `cursor`
 */
export const readAudience = (
  query: Query,
  group: DatabaseGroup,
  key: AudienceKey,
  {
    buckets,
    limit,
    cursor
  }: { readonly buckets: readonly number[]; readonly limit: number; readonly cursor: Cursor }
): Promise<AudienceUser[]> => {
  const idColumn = query('topic' in key.to ? 'user_id' : 'id')
  return query<AudienceUser[]>`
    select bucket, id as "userId", is_included as "isIncluded" from (
      ${source(query, key)}
        and ${inGroup(group)} and bucket = any(${buckets as number[]}::smallint[])
        and (bucket > ${cursor.bucket} or ${idColumn} > ${cursor.userId})
      order by bucket, ${idColumn} limit ${limit}) next_users
    order by bucket, id`
}

/** @param buckets - those to count in */
export async function countAudience(
  query: Query,
  group: DatabaseGroup,
  key: AudienceKey,
  buckets: readonly number[]
): Promise<number> {
  const [row] = await query<{ count: number }[]>`
    select count(*)::integer as count from (
      ${source(query, key)} and ${inGroup(group)} and bucket = any(${buckets as number[]}::smallint[])) a
    where is_included`
  return row!.count
}

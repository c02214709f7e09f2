// The topics of one user: reads them, and lets the user leave one and join it again.

import type { UserKey } from '../../core/id.ts'
import type { DatabaseGroup, Db, Query } from '../../db/db.ts'
import { inGroup } from '../../db/sql-helpers.ts'
import { whileTopic } from './topics.sql.ts'

/** How long a user may join a topic again after leaving it: the page that offers to undo is open so long. */
export const REJOIN_MINUTES = 60

export interface Membership {
  readonly topicId: string
  readonly addedAt: Date
}

/**
 * Reads the topics that a user is a member of, by id. Some of them may be deleted already.
 *
 * @param after - the last topic of the previous page; `''` for the first page
 */
export const readMemberships = (
  sql: Query,
  { bucket, envId, userId }: UserKey,
  limit: number,
  after = ''
): Promise<Membership[]> => sql<Membership[]>`
  select topic_id as "topicId", added_at as "addedAt" from topic_members
  where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId} and topic_id > ${after}
  order by topic_id limit ${limit}`

/** Ends a membership. @returns false if the user was no member */
export async function leaveTopic(
  sql: Query,
  { bucket, envId, userId }: UserKey,
  topicId: string
): Promise<boolean> {
  const { count } = await sql`
    with gone as (
      delete from topic_members
      where bucket = ${bucket} and env_id = ${envId} and topic_id = ${topicId} and user_id = ${userId}
      returning bucket, env_id, topic_id, user_id)
    insert into topic_leaves (bucket, env_id, topic_id, user_id)
    select bucket, env_id, topic_id, user_id from gone
    on conflict (bucket, env_id, topic_id, user_id) do update set left_at = excluded.left_at`
  return count > 0
}

/** What became of a user who wants to be in a topic again. */
export type Rejoined = 'joined' | 'member' | 'refused'

/** Makes a user a member of a topic that the user left a short time ago. Nobody else may join without the back end. */
export async function rejoinTopic(
  db: Pick<Db, 'control' | 'of'>,
  { bucket, envId, userId }: UserKey,
  topicId: string
): Promise<Rejoined> {
  const rejoined = await whileTopic(db, { envId, topicId }, async (queryOf, { createdAt }) => {
    const { sql } = queryOf(db.of(bucket))
    // Two statements, because Citus cannot pass rows from one change to another. Only the end of the second one may be lost.
    const joined = await sql`
      insert into topic_members (bucket, env_id, topic_id, user_id)
      select bucket, env_id, topic_id, user_id from topic_leaves
      where bucket = ${bucket} and env_id = ${envId} and topic_id = ${topicId} and user_id = ${userId}
        and left_at > now() - ${REJOIN_MINUTES} * interval '1 minute' and left_at >= ${createdAt}
      on conflict do nothing returning bucket`
    if (joined.length > 0) {
      await sql`
        delete from topic_leaves
        where bucket = ${bucket} and env_id = ${envId} and topic_id = ${topicId} and user_id = ${userId}`
      return 'joined'
    }
    const member = await sql`
      select from topic_members
      where bucket = ${bucket} and env_id = ${envId} and topic_id = ${topicId} and user_id = ${userId}`
    return member.count > 0 ? 'member' : 'refused'
  })
  return rejoined ?? 'refused'
}

const BATCH_SIZE = 1000

/** Forgets who left a topic, after the time to join it again. @returns how many; call again until it is 0 */
export async function deleteOldLeaves({
  buckets,
  work
}: Pick<DatabaseGroup, 'buckets' | 'work'>): Promise<number> {
  const group = { buckets, sql: work }
  const { count } = await work`
    with old as materialized (
      select bucket, env_id, topic_id, user_id from topic_leaves
      where ${inGroup(group)} and left_at < now() - ${REJOIN_MINUTES} * interval '1 minute'
      order by left_at limit ${BATCH_SIZE})
    delete from topic_leaves t using old
    where ${inGroup(group, 't')} and t.bucket = old.bucket and t.env_id = old.env_id and t.topic_id = old.topic_id
      and t.user_id = old.user_id`
  return count
}

// Adds and removes members of topics, and reads pages of them.

import { bucketOf } from '../../core/id.ts'
import type { DatabaseGroup, Db, Fragment } from '../../db/db.ts'
import { inGroup } from '../../db/sql-helpers.ts'
import { whileTopic, type GroupQuery, type TopicKey } from './topics.sql.ts'

export interface MemberChange {
  readonly add: readonly string[]
  /** None of them is in `add`. */
  readonly remove: readonly string[]
}

export interface ChangedMembers {
  /** Those that were no members before. */
  readonly added: number
  /** Those that were members before. */
  readonly removed: number
}

/** @returns undefined if the topic does not exist */
export const changeMembers = (
  db: Pick<Db, 'control' | 'groups' | 'of'>,
  key: TopicKey,
  { add, remove }: MemberChange
): Promise<ChangedMembers | undefined> => {
  const groupOf = (userId: string): DatabaseGroup => db.of(bucketOf(key.envId, userId))
  const added = Map.groupBy(add, groupOf)
  const removed = Map.groupBy(remove, groupOf)
  return whileTopic(db, key, async queryOf => {
    const sum = { added: 0, removed: 0 }
    for (const group of db.groups) {
      const there = queryOf(group)
      const coming = added.get(group) ?? []
      const leaving = removed.get(group) ?? []
      // What the back end says replaces what the user said.
      if (coming.length + leaving.length > 0)
        await removeMembersStatement(there, 'topic_leaves', key, [...coming, ...leaving])
      if (leaving.length > 0)
        sum.removed += (await removeMembersStatement(there, 'topic_members', key, leaving)).count
      if (coming.length > 0) sum.added += await insertMembers(there, key, coming)
    }
    return sum
  })
}

/**
 * In one order, so that two lists with the same users do not deadlock. On Citus the command tag of this statement counts conflicts
 * too, so it returns a row for each member there.
 */
async function insertMembers(
  { buckets: own, sql }: GroupQuery,
  { envId, topicId }: TopicKey,
  userIds: readonly string[]
): Promise<number> {
  const buckets = userIds.map(userId => bucketOf(envId, userId))
  const { count } = await sql`
    insert into topic_members (bucket, env_id, topic_id, user_id)
    select m.bucket, ${envId}, ${topicId}, m.user_id
    from unnest(${buckets}::smallint[], ${userIds as string[]}::text[]) as m(bucket, user_id)
    order by m.bucket, m.user_id
    on conflict do nothing ${own === null ? sql`` : sql`returning bucket`}`
  return count
}

/** By the index of the topic, because a join with the ids may get a plan that reads all members. */
export const removeMembersStatement = (
  group: GroupQuery,
  table: 'topic_members' | 'topic_leaves',
  { envId, topicId }: TopicKey,
  userIds: readonly string[]
): Fragment => group.sql`
  delete from ${group.sql(table)}
  where ${inGroup(group)} and env_id = ${envId} and topic_id = ${topicId}
    and user_id collate "C" = any(${userIds as string[]}::text[])`

export interface MemberRow {
  readonly userId: string
  readonly addedAt: Date
}

/**
 * Reads a page of one database group, in the order of the bytes of the ids.
 *
 * @param after - the last member of the previous page; `''` for the first page
 */
export const memberPageStatement = (
  group: GroupQuery,
  { envId, topicId }: TopicKey,
  after: string,
  limit: number
) => group.sql<MemberRow[]>`
  select user_id as "userId", added_at as "addedAt" from topic_members
  where ${inGroup(group)} and env_id = ${envId} and topic_id = ${topicId} and user_id collate "C" > ${after}
  order by user_id collate "C" limit ${limit}`

/** Counts the members of a topic in one database group, at most `limit` of them. */
export async function countMembers(
  group: GroupQuery,
  { envId, topicId }: TopicKey,
  limit: number
): Promise<number> {
  const [row] = await group.sql<{ count: number }[]>`
    select count(*)::integer as count from (
      select from topic_members
      where ${inGroup(group)} and env_id = ${envId} and topic_id = ${topicId} limit ${limit}) counted`
  return row!.count
}

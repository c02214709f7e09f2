// Removes the members of deleted topics, some at a time, so that no statement locks many rows for long. Any number of processes may
// do it for one topic at once.

import type { Db, Fragment } from '../../db/db.ts'
import { inGroup } from '../../db/sql-helpers.ts'
import { whileDeleted, type GroupQuery, type QueryOf, type TopicKey } from './topics.sql.ts'

/** Members of one statement. */
const CHUNK_SIZE = 5000

/** Deletes a range of the index, because a join of two parts of one table may get a plan that compares all with all. */
export const removeChunkStatement = (group: GroupQuery, { envId, topicId }: TopicKey): Fragment => group.sql`
  delete from topic_members
  where ${inGroup(group)} and env_id = ${envId} and topic_id = ${topicId} and user_id collate "C" <= (
    select max(chunk.user_id collate "C") from (
      select user_id from topic_members
      where ${inGroup(group)} and env_id = ${envId} and topic_id = ${topicId}
      order by user_id collate "C" limit ${CHUNK_SIZE}) chunk)`

async function removeChunk({ groups }: Pick<Db, 'groups'>, key: TopicKey, queryOf: QueryOf): Promise<number> {
  let sum = 0
  for (const group of groups) {
    const { count } = await removeChunkStatement(queryOf(group), key)
    sum += count
  }
  return sum
}

/**
 * Continues the deletion of a topic. Does nothing if there is none.
 *
 * @param shouldGoOn - asked after each chunk
 * @returns false if members are left
 */
export async function finishDeletion(
  db: Pick<Db, 'control' | 'groups'>,
  key: TopicKey,
  shouldGoOn: () => boolean
): Promise<boolean> {
  for (;;) {
    const count = await whileDeleted(db, key, queryOf => removeChunk(db, key, queryOf))
    if (count === undefined) return true
    if (count === 0) {
      // Waits for the chunks of other processes. Nobody adds members to a topic without a row.
      await db.control`delete from deleted_topics where env_id = ${key.envId} and id = ${key.topicId}`
      return true
    }
    if (!shouldGoOn()) return false
  }
}

/** Finishes all deletions. @param stopped - ends it after the current chunk, with the reason as error */
export async function finishDeletions(
  db: Pick<Db, 'control' | 'groups'>,
  stopped: AbortSignal
): Promise<void> {
  const keys = await db.control<TopicKey[]>`select env_id as "envId", id as "topicId" from deleted_topics`
  for (const key of keys) {
    await finishDeletion(db, key, () => {
      stopped.throwIfAborted()
      return true
    })
  }
}

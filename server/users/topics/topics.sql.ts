// Stores topics: groups of users that back ends make. They belong to environments, not to users, so they have no bucket.
//
// A topic may have millions of members, so its deletion moves its row to `deleted_topics` first and removes the members in chunks
// (remove-members.sql.ts). A topic with the same id is created only after the last one, so it never gets members of an earlier one.

import type { DatabaseGroup, Db, Query, Tx } from '../../db/db.ts'
import { sharedPool } from '../../db/sql-helpers.ts'
import { retryOnConflict } from '../../db/transact.ts'
import { Problem } from '../../http/problem.ts'

export interface TopicKey {
  readonly envId: string
  readonly topicId: string
}

export interface StoredTopic {
  readonly id: string
  readonly title: string
  readonly createdAt: Date
}

type Control = Pick<Db, 'control'>

/** Creates a topic, or gives it another title. @throws Problem `unavailable` while members of a deleted topic with the id are left */
export const putTopic = (db: Control, key: TopicKey, title: string): Promise<StoredTopic & Created> =>
  insertTopic(db, key, title, true)

/** Creates a topic if there is none. @throws Problem as {@link putTopic} */
export const createTopic = (db: Control, key: TopicKey, title: string): Promise<StoredTopic & Created> =>
  insertTopic(db, key, title, false)

interface Created {
  readonly isNew: boolean
}

const insertTopic = (
  { control }: Control,
  { envId, topicId }: TopicKey,
  title: string,
  isRenamed: boolean
): Promise<StoredTopic & Created> =>
  retryOnConflict(() =>
    control.begin(async tx => {
      const [row] = await tx<(StoredTopic & Created)[]>`
        insert into topics as t (env_id, id, title) values (${envId}, ${topicId}, ${title})
        on conflict (env_id, id) do update set title = case when ${isRenamed} then excluded.title else t.title end
        returning id, title, created_at as "createdAt", xmax = 0 as "isNew"`
      // After the insert, which may have waited for a deletion.
      const { count } = await tx`select from deleted_topics where env_id = ${envId} and id = ${topicId}`
      if (count > 0) throw stillDeleted()
      return row!
    })
  ) as Promise<StoredTopic & Created>

const RETRY_SECONDS = 2

const stillDeleted = (): Problem =>
  new Problem(
    'unavailable',
    `A topic with this id was deleted, and its members are still being removed. Retry in ${RETRY_SECONDS} seconds.`,
    { headers: { 'retry-after': String(RETRY_SECONDS) } }
  )

/** @returns false if there is neither such a topic nor an unfinished deletion of it */
export async function deleteTopic({ control }: Control, { envId, topicId }: TopicKey): Promise<boolean> {
  const { count } = await control`
    with gone as (delete from topics where env_id = ${envId} and id = ${topicId} returning env_id, id)
    insert into deleted_topics (env_id, id)
    select env_id, id from gone
    union select env_id, id from deleted_topics where env_id = ${envId} and id = ${topicId}
    on conflict (env_id, id) do update set id = excluded.id`
  return count > 0
}

export async function readTopic(
  { control }: Control,
  { envId, topicId }: TopicKey
): Promise<StoredTopic | undefined> {
  const [row] = await control<StoredTopic[]>`
    select id, title, created_at as "createdAt" from topics where env_id = ${envId} and id = ${topicId}`
  return row
}

/** @param after - id of the last topic of the previous page; `''` for the first page */
export const readTopicPage = (
  { control }: Control,
  envId: string,
  after: string,
  limit: number
): Promise<StoredTopic[]> => control<StoredTopic[]>`
  select id, title, created_at as "createdAt" from topics
  where env_id = ${envId} and id > ${after} order by id limit ${limit}`

/** Returns the titles of those topics that exist, by id. */
export async function readTopicTitles(
  { control }: Control,
  envId: string,
  ids: readonly string[]
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await control<Pick<StoredTopic, 'id' | 'title'>[]>`
    select id, title from topics where env_id = ${envId} and id = any(${[...new Set(ids)]}::text[])`
  return new Map(rows.map(({ id, title }) => [id, title]))
}

/** A database group with the connection for statements in it. */
export type GroupQuery = Pick<DatabaseGroup, 'buckets'> & { readonly sql: Query }

/** Returns the connection for statements about members in a group. */
export type QueryOf = (group: DatabaseGroup) => GroupQuery

/**
 * Runs work while the locked row stays. In the database that has the topics, the work is part of the transaction with the lock.
 * Elsewhere it has the connections of its groups, which it waits for while it holds one of the control database: so nothing may hold a
 * connection of a group while it waits for the control database.
 *
 * @returns undefined, without running the work, if there is no such row
 */
const whileLocked = <Row, T>(
  { control }: Control,
  lock: (tx: Tx) => Promise<readonly Row[]>,
  work: (queryOf: QueryOf, row: Row) => Promise<T>
): Promise<T | undefined> =>
  retryOnConflict(() =>
    control.begin(async tx => {
      const [row] = await lock(tx)
      return (
        row && work(({ buckets, sql }) => ({ buckets, sql: sharedPool(sql) === control ? tx : sql }), row)
      )
    })
  ) as Promise<T | undefined>

/** Runs work while the topic cannot be deleted. @returns undefined if there is no such topic */
export const whileTopic = <T>(
  db: Control,
  { envId, topicId }: TopicKey,
  work: (queryOf: QueryOf, topic: StoredTopic) => Promise<T>
): Promise<T | undefined> =>
  whileLocked(
    db,
    tx => tx<StoredTopic[]>`
      select id, title, created_at as "createdAt" from topics
      where env_id = ${envId} and id = ${topicId} for share`,
    work
  )

/** Runs work while a topic with the id cannot be created. @returns undefined if there is no unfinished deletion */
export const whileDeleted = <T>(
  db: Control,
  { envId, topicId }: TopicKey,
  work: (queryOf: QueryOf) => Promise<T>
): Promise<T | undefined> =>
  whileLocked(
    db,
    tx => tx<{ id: string }[]>`
      select id from deleted_topics where env_id = ${envId} and id = ${topicId} for share`,
    work
  )

// Reads which first steps an environment has made, from rows that exist in any case. Each read stops at its first row.

import { bucketOf } from '../../core/id.ts'
import type { DatabaseGroup, Db, Query } from '../../db/db.ts'
import { inGroup } from '../../db/sql-helpers.ts'

/** @returns the id of the first type by name; undefined: there is none */
export async function readFirstType(query: Query, envId: string): Promise<string | undefined> {
  const [row] = await query<{ id: string }[]>`
    select id from notifications where env_id = ${envId} order by id limit 1`
  return row?.id
}

export interface StepSend {
  readonly id: string
  readonly userId: string
}

/** Returns the first send that the log still has. */
export async function readFirstSend(group: DatabaseGroup, envId: string): Promise<StepSend | undefined> {
  const [row] = await group.sql<StepSend[]>`
    select id, user_id as "userId" from sends where ${inGroup(group)} and env_id = ${envId} order by id limit 1`
  return row
}

/** Returns the first attempt that a provider accepted, among the first ones: by their own id, which has an index. */
export async function readFirstDelivery(group: DatabaseGroup, envId: string): Promise<StepSend | undefined> {
  const [row] = await group.sql<StepSend[]>`
    select id, "userId" from (
      select a.send_id as id, a.user_id as "userId", a.outcome from attempts a
      where ${inGroup(group, 'a')} and a.env_id = ${envId} order by a.id limit ${MAX_LOOKED_AT}) first
    where outcome = 'sent' limit 1`
  return row
}

/** Rows that are looked at for a step: early steps are found among the first, late ones no longer matter. */
const MAX_LOOKED_AT = 100

/** Returns a recipient of the first or last sends who has opened an inbox. */
export async function readOpenedInbox(
  db: Db,
  envId: string
): Promise<{ readonly userId: string; readonly seenAt: Date } | undefined> {
  const found = await Promise.all(db.groups.map(group => readRecipients(group, envId)))
  const users = [...new Set(found.flat().map(({ userId }) => userId))]
  const seen = await Promise.all(
    [...Map.groupBy(users, userId => db.of(bucketOf(envId, userId)))].map(([group, ids]) =>
      readSeen(group, envId, ids)
    )
  )
  return seen.flat().toSorted((a, b) => a.seenAt.getTime() - b.seenAt.getTime())[0]
}

const readRecipients = (group: DatabaseGroup, envId: string) => group.sql<{ userId: string }[]>`
  (select user_id as "userId" from sends where ${inGroup(group)} and env_id = ${envId} order by id limit ${MAX_LOOKED_AT})
  union
  (select user_id from sends where ${inGroup(group)} and env_id = ${envId} order by id desc limit ${MAX_LOOKED_AT})`

const readSeen = (group: DatabaseGroup, envId: string, ids: readonly string[]) => group.sql<
  { userId: string; seenAt: Date }[]
>`
  select u.id as "userId", u.seen_at as "seenAt"
  from unnest(${ids.map(id => bucketOf(envId, id))}::smallint[], ${ids as string[]}::text[]) k(bucket, id)
  join users u on u.bucket = k.bucket and u.env_id = ${envId} and u.id = k.id
  where ${inGroup(group, 'u')} and u.seen_at is not null`

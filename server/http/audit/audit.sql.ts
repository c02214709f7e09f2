// SQL of the audit log. Rows are inserted, and deleted by their age alone: nothing updates them.
//
// A call and its answer are two rows, so that the call is stored before it is executed.

import type { Db, Query } from '../../db/db.ts'

export interface AuditedCall {
  /** Who calls, such as `adminActor`. */
  readonly actor: string
  /** Operation id of the API reference, such as `getUser`. */
  readonly action: string
  readonly method: string
  /** The path pattern, such as `/:clientId/sender`. */
  readonly route: string
  readonly clientId: string | undefined
  /** Id of what the path names beside environment and user, such as a send or a key. */
  readonly subject: string | undefined
  /** See `digestUserId`. */
  readonly userDigest: string | undefined
  /** Address of the client. */
  readonly address: string
}

/** What is known of a call only after its body was read, and its status. */
export type AuditedAnswer = Pick<AuditedCall, 'clientId' | 'userDigest'> & { readonly status: number }

export async function insertCall(
  db: Db,
  id: string,
  { action, actor, address, clientId, method, route, subject, userDigest }: AuditedCall
): Promise<void> {
  await db.control`
    insert into audit_calls (id, actor, action, method, route, env_id, user_digest, subject, address)
    values (${id}, ${actor}, ${action}, ${method}, ${route}, ${clientId ?? null}, ${userDigest ?? null},
      ${subject ?? null}, ${address})`
}

export async function insertAnswer(
  db: Db,
  id: string,
  { clientId, status, userDigest }: AuditedAnswer
): Promise<void> {
  await db.control`
    insert into audit_answers (id, status, env_id, user_digest)
    values (${id}, ${status}, ${clientId ?? null}, ${userDigest ?? null})`
}

export interface AuditQuery {
  readonly clientId?: string | undefined
  readonly actor?: string | undefined
  readonly action?: string | undefined
  readonly subject?: string | undefined
  /** Names environment and user, so it makes `clientId` unnecessary. */
  readonly userDigest?: string | undefined
  /** Id of the last entry of the page before; entries with smaller ids follow. */
  readonly before?: string | undefined
  /** Smallest id of the first millisecond. */
  readonly from?: string | undefined
  /** Smallest id after the last millisecond. */
  readonly until?: string | undefined
  readonly limit: number
}

export interface AuditEntry {
  readonly id: string
  readonly actor: string
  /** Of the member, if it is one. */
  readonly name: string | null
  readonly action: string
  readonly method: string
  readonly route: string
  readonly clientId: string | null
  readonly userDigest: string | null
  readonly subject: string | null
  readonly address: string
  /** Null: the process ended before the answer, or still works on it. */
  readonly status: number | null
}

type Table = 'audit_answers' | 'audit_calls'

/** Conditions on what only the first row of a call has. */
const callConditions = (sql: Query, { action, actor, subject }: AuditQuery) => sql`
  ${actor === undefined ? sql`` : sql`and c.actor = ${actor}`}
  ${action === undefined ? sql`` : sql`and c.action = ${action}`}
  ${subject === undefined ? sql`` : sql`and c.subject = ${subject}`}`

const hasCallConditions = ({ action, actor, subject }: AuditQuery): boolean =>
  action !== undefined || actor !== undefined || subject !== undefined

/** Selects the newest ids of one of the two tables that match the query. */
const newestIds = (sql: Query, table: Table, query: AuditQuery) => {
  const { before = null, clientId, from = null, limit, until = null, userDigest } = query
  const isOfCalls = table === 'audit_calls'
  const ofEnvironment =
    clientId === undefined || userDigest !== undefined ? sql`` : sql`and c.env_id = ${clientId}`
  const conditions = callConditions(sql, query)
  return sql`
    select c.id from ${sql(table)} c
    where c.id < coalesce(least(${before}::uuid, ${until}::uuid), 'ffffffff-ffff-ffff-ffff-ffffffffffff')
      and c.id >= coalesce(${from}::uuid, '00000000-0000-0000-0000-000000000000')
      ${ofEnvironment}
      ${userDigest === undefined ? sql`` : sql`and c.user_digest = ${userDigest}`}
      ${isOfCalls ? conditions : sql``}
      ${isOfCalls || !hasCallConditions(query) ? sql`` : sql`and c.id in (select c.id from audit_calls c where true ${conditions})`}
    order by c.id desc limit ${limit}`
}

/** Returns one page, the newest first. The client id of a new environment, and the user of a body, stand in the answer only. */
export const readEntries = (sql: Query, query: AuditQuery) => sql<AuditEntry[]>`
    with ids as materialized (
      (${newestIds(sql, 'audit_calls', query)})
      union (${newestIds(sql, 'audit_answers', query)})
      order by id desc limit ${query.limit})
    select c.id, c.actor, c.action, c.method, c.route, c.subject, c.address, a.status,
      coalesce(c.env_id, a.env_id) as "clientId", coalesce(c.user_digest, a.user_digest) as "userDigest",
      (select m.name from members m where m.id = substring(c.actor from '^member:([0-9a-f-]{36})$')::uuid) as name
    from ids join audit_calls c on c.id = ids.id left join audit_answers a on a.id = ids.id
    order by c.id desc`

const DELETE_BATCH_SIZE = 1000

/**
 * Deletes one batch of entries that are older than `days`, with their answers.
 *
 * @returns how many were deleted; call again until it is 0
 */
export async function deleteOldEntries(query: Query, days: number): Promise<number> {
  const gone = await query`
    delete from audit_calls where id in (
      select id from audit_calls where id < uuid_at(now() - ${days} * interval '1 day')
      order by id limit ${DELETE_BATCH_SIZE})`
  return gone.count
}

// SQL of the audit log. Rows are inserted, and deleted by their age alone: nothing updates them.
//
// A call and its answer are two rows, so that the call is stored before it is executed.

import type { Db, Query } from '../../db/db.ts'

export interface AuditedCall {
  /** Who calls, such as `adminActor`. */
  readonly actor: string
  readonly method: string
  /** The path pattern, such as `/:clientId/sender`. */
  readonly route: string
  readonly clientId: string | undefined
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
  { actor, address, clientId, method, route, userDigest }: AuditedCall
): Promise<void> {
  await db.control`
    insert into audit_calls (id, actor, method, route, env_id, user_digest, address)
    values (${id}, ${actor}, ${method}, ${route}, ${clientId ?? null}, ${userDigest ?? null}, ${address})`
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
  readonly method: string
  readonly route: string
  readonly clientId: string | null
  readonly userDigest: string | null
  readonly address: string
  /** Null: the process ended before the answer, or still works on it. */
  readonly status: number | null
}

/** Selects the newest ids of one of the two tables that match the query. */
const newestIds = (sql: Query, table: 'audit_answers' | 'audit_calls', query: AuditQuery) => {
  const { before = null, clientId, from = null, limit, until = null } = query
  return sql`
    select id from ${sql(table)}
    where id < coalesce(least(${before}::uuid, ${until}::uuid), 'ffffffff-ffff-ffff-ffff-ffffffffffff')
      and id >= coalesce(${from}::uuid, '00000000-0000-0000-0000-000000000000')
      ${clientId === undefined ? sql`` : sql`and env_id = ${clientId}`}
    order by id desc limit ${limit}`
}

/** Returns one page, the newest first. The client id of a new environment stands in the answer only. */
export const readEntries = (sql: Query, query: AuditQuery) => sql<AuditEntry[]>`
    with ids as materialized (
      (${newestIds(sql, 'audit_calls', query)})
      union (${newestIds(sql, 'audit_answers', query)})
      order by id desc limit ${query.limit})
    select c.id, c.actor, c.method, c.route, c.address, a.status,
      coalesce(c.env_id, a.env_id) as "clientId", coalesce(c.user_digest, a.user_digest) as "userDigest"
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

// SQL of members' sessions. The value of a cookie is not stored, only its hash.

import type { Db, Query } from '../db/db.ts'
import type { Role } from '../http/roles.ts'

/** Without a request for so long, a session ends. */
const IDLE_TIME = '1 hour'
/** A session that is used all the time is written once in this time. */
const USE_INTERVAL = '1 minute'

/** A valid session with its member. */
export interface ValidSession {
  readonly id: string
  readonly memberId: string
  readonly issuer: string
  readonly subject: string
  readonly name: string
  readonly role: Role
  readonly expiresAt: Date
}

/** A session for lists. */
export interface SessionInfo {
  readonly id: string
  readonly address: string
  /** Value of User-Agent. */
  readonly browser: string
  readonly createdAt: Date
  /** At most {@link USE_INTERVAL} late. */
  readonly lastUsedAt: Date
  readonly expiresAt: Date
}

export interface NewSession {
  readonly id: string
  readonly memberId: string
  readonly hash: Buffer
  readonly address: string
  readonly browser: string
  readonly seconds: number
}

export async function insertSession(query: Query, session: NewSession): Promise<Date> {
  const { address, browser, hash, id, memberId, seconds } = session
  const [row] = await query<[{ expiresAt: Date }]>`
    insert into member_sessions (id, member_id, hash, address, browser, expires_at)
    values (${id}, ${memberId}, ${hash}, ${address}, ${browser}, now() + ${seconds} * interval '1 second')
    returning expires_at as "expiresAt"`
  return row.expiresAt
}

/** Returns the valid sessions of these hashes, by hash in hex, and stores that they are used. */
export async function readSessions(
  db: Db,
  hashes: readonly string[]
): Promise<ReadonlyMap<string, ValidSession>> {
  const rows = await db.control<(ValidSession & { hash: string })[]>`
    with found as materialized (
      select s.id, s.member_id, s.last_used_at, s.expires_at, m.issuer, m.subject, m.name, m.role,
        encode(s.hash, 'hex') as hash
      from member_sessions s join members m on m.id = s.member_id
      where s.hash in (select decode(hex, 'hex') from unnest(${hashes as string[]}::text[]) as hex)
        and s.expires_at > now() and s.last_used_at > now() - ${IDLE_TIME}::interval
        and m.blocked_at is null),
    used as (
      update member_sessions set last_used_at = now() from found
      where member_sessions.id = found.id and found.last_used_at < now() - ${USE_INTERVAL}::interval
      returning member_sessions.member_id),
    seen as (
      update members set last_seen_at = now() where id in (select member_id from used))
    select hash, id, member_id as "memberId", issuer, subject, name, role, expires_at as "expiresAt" from found`
  return new Map(rows.map(({ hash, ...session }) => [hash, session]))
}

/** Lists the sessions of a member that are valid, the newest first. */
export const listSessions = (query: Query, memberId: string, limit: number) => query<SessionInfo[]>`
  select id, address, browser, created_at as "createdAt", last_used_at as "lastUsedAt", expires_at as "expiresAt"
  from member_sessions
  where member_id = ${memberId} and expires_at > now() and last_used_at > now() - ${IDLE_TIME}::interval
  order by id desc limit ${limit}`

/** @param memberId - undefined: the session of any member. @returns its hash; undefined if there is none */
export async function deleteSession(
  query: Query,
  id: string,
  memberId: string | undefined
): Promise<Buffer | undefined> {
  const [row] = await query<{ hash: Buffer }[]>`
    delete from member_sessions
    where id = ${id} and (${memberId ?? null}::uuid is null or member_id = ${memberId ?? null})
    returning hash`
  return row?.hash
}

/** Deletes the session of a cookie. */
export async function deleteByHash(query: Query, hash: Buffer): Promise<void> {
  await query`delete from member_sessions where hash = ${hash}`
}

/** @returns the hashes of the sessions that ended */
export async function deleteSessionsOf(query: Query, memberId: string): Promise<Buffer[]> {
  const rows = await query<{ hash: Buffer }[]>`
    delete from member_sessions where member_id = ${memberId} returning hash`
  return rows.map(({ hash }) => hash)
}

const DELETE_BATCH_SIZE = 1000

/** Deletes one batch of expired sessions. @returns how many were deleted; call again until it is 0 */
export async function deleteExpiredSessions(query: Query): Promise<number> {
  const gone = await query`
    delete from member_sessions where id in (
      select id from member_sessions
      where expires_at < now() or last_used_at < now() - ${IDLE_TIME}::interval limit ${DELETE_BATCH_SIZE})`
  return gone.count
}

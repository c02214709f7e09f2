// SQL of members: people who signed in at least once.

import type { Query } from '../db/db.ts'
import type { Role } from '../http/roles.ts'

/** Who signs in, as the admin token or an OpenID provider says. */
export interface Identity {
  /** Of the OpenID provider; empty for the admin token. */
  readonly issuer: string
  readonly subject: string
  readonly name: string
  readonly email: string | undefined
  readonly role: Role
}

export interface MemberInfo {
  readonly id: string
  readonly issuer: string
  readonly subject: string
  readonly name: string
  readonly email: string | null
  readonly role: Role
  readonly createdAt: Date
  /** At most a minute late. */
  readonly lastSeenAt: Date
  readonly blockedAt: Date | null
  readonly blockedBy: string | null
}

const columns = (query: Query) => query`
  id, issuer, subject, name, email, role, created_at as "createdAt", last_seen_at as "lastSeenAt",
  blocked_at as "blockedAt", blocked_by as "blockedBy"`

/** Stores who signs in, with the name and role of now. @param id - of a new member */
export async function storeMember(query: Query, id: string, identity: Identity): Promise<MemberInfo> {
  const { email = null, issuer, name, role, subject } = identity
  const [row] = await query<[MemberInfo]>`
    insert into members (id, issuer, subject, name, email, role)
    values (${id}, ${issuer}, ${subject}, ${name}, ${email}, ${role})
    on conflict (issuer, subject) do update set name = excluded.name, email = excluded.email, role = excluded.role,
      last_seen_at = case when members.blocked_at is null then now() else members.last_seen_at end
    returning ${columns(query)}`
  return row
}

/** Lists members, who signed in first last. @param before - last id of the previous page */
export const listMembers = (query: Query, before: string | undefined, limit: number) => query<MemberInfo[]>`
  select ${columns(query)} from members
  where id < coalesce(${before ?? null}::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
  order by id desc limit ${limit}`

export async function readMember(query: Query, id: string): Promise<MemberInfo | undefined> {
  const [row] = await query<MemberInfo[]>`select ${columns(query)} from members where id = ${id}`
  return row
}

export async function findMember(
  query: Query,
  { issuer, subject }: Pick<Identity, 'issuer' | 'subject'>
): Promise<MemberInfo | undefined> {
  const [row] = await query<MemberInfo[]>`
    select ${columns(query)} from members where issuer = ${issuer} and subject = ${subject}`
  return row
}

/** @param blockedBy - actor of the audit log; undefined: the member may sign in again */
export async function changeBlock(
  query: Query,
  id: string,
  blockedBy: string | undefined
): Promise<MemberInfo | undefined> {
  const [row] = await query<MemberInfo[]>`
    update members set
      blocked_at = case when ${blockedBy !== undefined} then coalesce(blocked_at, now()) end,
      blocked_by = case when ${blockedBy !== undefined} then coalesce(blocked_by, ${blockedBy ?? null}) end
    where id = ${id} returning ${columns(query)}`
  return row
}

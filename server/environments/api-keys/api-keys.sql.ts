// SQL of API keys. The text of a key is not stored, only its hash.

import type { Db, Query } from '../../db/db.ts'
import type { ApiKey } from '../../http/api-key.ts'
import type { Scope } from '../../http/scopes.ts'

/** A key without its text, for operators. */
export interface ApiKeyInfo {
  readonly id: string
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly start: string
  readonly createdBy: string
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
  /** At most {@link USE_INTERVAL} late. */
  readonly lastUsedAt: Date | null
}

export interface NewApiKey {
  readonly id: string
  readonly envId: string
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly hash: Buffer
  readonly start: string
  /** Who creates it, such as `adminActor`. */
  readonly createdBy: string
  readonly expiresAt: Date | undefined
}

/** A key that is used all the time is written once in this time. */
const USE_INTERVAL = '1 minute'

const columns = (query: Query) => query`
  id, name, scopes, start, created_by as "createdBy", created_at as "createdAt", expires_at as "expiresAt",
  revoked_at as "revokedAt", last_used_at as "lastUsedAt"`

/** Lists the keys of an environment by id, revoked ones too. @param after - last id of the previous page */
export const listKeys = (query: Query, envId: string, after: string, limit: number) => query<ApiKeyInfo[]>`
  select ${columns(query)} from api_keys where env_id = ${envId} and id > ${after} order by id limit ${limit}`

/** @returns how many keys of the environment are not revoked, counting at most `limit` */
export async function countKeys(query: Query, envId: string, limit: number): Promise<number> {
  const [row] = await query<[{ count: number }]>`
    select count(*)::int as count from (
      select from api_keys where env_id = ${envId} and revoked_at is null limit ${limit}) as counted`
  return row.count
}

/** @returns undefined if there is no such environment */
export async function insertKey(query: Query, key: NewApiKey): Promise<ApiKeyInfo | undefined> {
  const [row] = await query<ApiKeyInfo[]>`
    insert into api_keys (id, env_id, name, scopes, hash, start, created_by, expires_at)
    select ${key.id}::uuid, id, ${key.name}, ${key.scopes as Scope[]}::text[], ${key.hash}::bytea, ${key.start},
      ${key.createdBy}, ${key.expiresAt ?? null}::timestamptz
    from environments where id = ${key.envId} and deleted_at is null for update
    returning ${columns(query)}`
  return row
}

/** Revokes a key; a revoked one stays as it is. @returns undefined if the environment has no such key */
export async function revokeKey(query: Query, envId: string, id: string): Promise<Buffer | undefined> {
  const [row] = await query<{ hash: Buffer }[]>`
    update api_keys set revoked_at = coalesce(revoked_at, now())
    where env_id = ${envId} and id = ${id} returning hash`
  return row?.hash
}

export interface ValidKey extends ApiKey {
  readonly expiresAt: Date | null
}

/** Returns the valid keys of these hashes, by hash in hex, and stores that they are used. */
export async function readKeys(db: Db, hashes: readonly string[]): Promise<ReadonlyMap<string, ValidKey>> {
  const rows = await db.control<(ValidKey & { hash: string })[]>`
    with found as materialized (
      select k.id, k.last_used_at, k.env_id, k.name, k.scopes, k.expires_at, encode(k.hash, 'hex') as hash
      from api_keys k
      where k.hash in (select decode(hex, 'hex') from unnest(${hashes as string[]}::text[]) as hex)
        and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())),
    used as (
      update api_keys set last_used_at = now() from found
      where api_keys.id = found.id
        and (found.last_used_at is null or found.last_used_at < now() - ${USE_INTERVAL}::interval))
    select hash, env_id as "envId", name, scopes, expires_at as "expiresAt" from found`
  return new Map(rows.map(({ hash, ...key }) => [hash, key]))
}

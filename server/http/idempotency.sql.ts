// SQL of idempotency keys. Lock order: keys before inbox counters before items; keys by primary key.

import type { UserKey } from '../core/id.ts'
import type { DatabaseGroup, Json, Tx } from '../db/db.ts'
import { inGroup, inGroupOf } from '../db/sql-helpers.ts'

/** The key of one request. `userId` is `''` for a request about no user. */
export interface IdempotencyKey extends UserKey {
  readonly key: string
  readonly fingerprint: Buffer
}

export interface KeyRecord {
  readonly fingerprint: Buffer
  /** Stored in the same commit as the key; null of a reserved key whose request has no answer yet. */
  readonly status: number | null
  readonly response: Json | undefined
}

const columns = (requests: readonly IdempotencyKey[]) => ({
  buckets: requests.map(request => request.bucket),
  environments: requests.map(request => request.envId),
  keys: requests.map(request => request.key),
  users: requests.map(request => request.userId)
})

/**
 * Inserts the keys. Waits for other transactions that hold one of them.
 *
 * @returns the positions (from 0) of keys that were new
 */
export async function insertKeys(tx: Tx, requests: readonly IdempotencyKey[]): Promise<Set<number>> {
  const { buckets, environments, users, keys } = columns(requests)
  const rows = await tx<{ bucket: number; env_id: string; user_id: string; key: string }[]>`
    insert into idempotency_keys (bucket, env_id, user_id, key, fingerprint)
    select bucket, env_id, user_id, key, decode(fingerprint, 'hex')
    from unnest(${buckets}::smallint[], ${environments}::text[], ${users}::text[], ${keys}::text[],
                ${requests.map(request => request.fingerprint.toString('hex'))}::text[])
      as claim (bucket, env_id, user_id, key, fingerprint)
    order by 1, 2, 3, 4
    on conflict do nothing
    returning bucket, env_id, user_id, key`
  const inserted = new Set(rows.map(row => JSON.stringify([row.bucket, row.env_id, row.user_id, row.key])))
  const positions = new Set<number>()
  for (const [i, request] of requests.entries()) if (inserted.delete(primaryKey(request))) positions.add(i)
  return positions
}

export const primaryKey = ({ bucket, envId, userId, key }: IdempotencyKey): string =>
  JSON.stringify([bucket, envId, userId, key])

export async function readKeys(
  tx: Tx,
  requests: readonly IdempotencyKey[]
): Promise<(KeyRecord | undefined)[]> {
  const { buckets, environments, users, keys } = columns(requests)
  const rows = await tx<{ i: number; fingerprint: Buffer; status: number | null; response: Json | null }[]>`
    select claim.i::int as i, k.fingerprint, k.status, k.response
    from unnest(${buckets}::smallint[], ${environments}::text[], ${users}::text[], ${keys}::text[])
      with ordinality as claim (bucket, env_id, user_id, key, i)
    join idempotency_keys k on ${inGroupOf(tx, 'k')} and k.bucket = claim.bucket and k.env_id = claim.env_id and k.user_id = claim.user_id
      and k.key = claim.key`
  const found: (KeyRecord | undefined)[] = requests.map(() => undefined)
  for (const { i, fingerprint, status, response } of rows) {
    found[i - 1] = { fingerprint, response: response ?? undefined, status }
  }
  return found
}

/** Stores `response` as text (type json), so that a replay has the same bytes. */
export async function updateKeys(
  tx: Tx,
  answers: readonly {
    readonly key: IdempotencyKey
    readonly status: number
    readonly response: string | null
  }[]
): Promise<void> {
  const { buckets, environments, users, keys } = columns(answers.map(answer => answer.key))
  await tx`
    update idempotency_keys k set status = a.status, response = a.response::json
    from unnest(${buckets}::smallint[], ${environments}::text[], ${users}::text[], ${keys}::text[],
                ${answers.map(answer => answer.status)}::smallint[], ${answers.map(answer => answer.response)}::text[])
      as a (bucket, env_id, user_id, key, status, response)
    where ${inGroupOf(tx, 'k')} and k.bucket = a.bucket and k.env_id = a.env_id and k.user_id = a.user_id and k.key = a.key`
}

const DELETE_BATCH_SIZE = 5_000

/**
 * Deletes one batch of keys that are older than `hours`. The keys of a busy hour are too many for the time limit of one statement.
 *
 * @returns how many were deleted; call again until it is 0
 */
export async function deleteOldKeys(group: DatabaseGroup, hours: number): Promise<number> {
  const gone = await group.work`
    with old as materialized (
      select bucket, env_id, user_id, key from idempotency_keys
      where ${inGroup(group)} and created_at < now() - ${hours} * interval '1 hour'
      order by created_at limit ${DELETE_BATCH_SIZE} for update skip locked)
    delete from idempotency_keys k using old
    where ${inGroup(group, 'k')}
      and k.bucket = old.bucket and k.env_id = old.env_id and k.user_id = old.user_id and k.key = old.key`
  return gone.count
}

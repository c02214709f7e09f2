// Idempotency keys. Lock order: keys before inbox heads before items; keys among themselves by primary key.

import type { UserKey } from '../core/id.ts'
import type { Group, Json, Tx } from '../db/db.ts'

/** `userId` is `''` for a request that concerns no user. */
export interface Claim extends UserKey {
  readonly key: string
  readonly fingerprint: Buffer
}

export interface StoredAnswer {
  readonly fingerprint: Buffer
  /** A key is never there without it: both come with one commit. */
  readonly status: number
  readonly response: Json | undefined
}

const columns = (claims: readonly Claim[]) => ({
  buckets: claims.map(claim => claim.bucket),
  environments: claims.map(claim => claim.envId),
  keys: claims.map(claim => claim.key),
  users: claims.map(claim => claim.userId)
})

/**
 * Inserts the keys; waits for any other transaction that holds one of them.
 *
 * @returns the positions (from 0) of those that were new
 */
export async function insertKeys(tx: Tx, claims: readonly Claim[]): Promise<Set<number>> {
  const { buckets, environments, users, keys } = columns(claims)
  const rows = await tx<{ bucket: number; env_id: string; user_id: string; key: string }[]>`
    insert into idempotency_keys (bucket, env_id, user_id, key, fingerprint)
    select bucket, env_id, user_id, key, decode(fingerprint, 'hex')
    from unnest(${buckets}::smallint[], ${environments}::text[], ${users}::text[], ${keys}::text[],
                ${claims.map(claim => claim.fingerprint.toString('hex'))}::text[])
      as claim (bucket, env_id, user_id, key, fingerprint)
    order by 1, 2, 3, 4
    on conflict do nothing
    returning bucket, env_id, user_id, key`
  const made = new Set(rows.map(row => JSON.stringify([row.bucket, row.env_id, row.user_id, row.key])))
  const fresh = new Set<number>()
  for (const [i, claim] of claims.entries()) if (made.delete(nameOf(claim))) fresh.add(i)
  return fresh
}

/** Primary key as text. */
export const nameOf = ({ bucket, envId, userId, key }: Claim): string =>
  JSON.stringify([bucket, envId, userId, key])

/** What is known under each key, in the order of the claims. */
export async function readKeys(tx: Tx, claims: readonly Claim[]): Promise<(StoredAnswer | undefined)[]> {
  const { buckets, environments, users, keys } = columns(claims)
  const rows = await tx<{ i: number; fingerprint: Buffer; status: number; response: Json | null }[]>`
    select claim.i::int as i, k.fingerprint, k.status, k.response
    from unnest(${buckets}::smallint[], ${environments}::text[], ${users}::text[], ${keys}::text[])
      with ordinality as claim (bucket, env_id, user_id, key, i)
    join idempotency_keys k on k.bucket = claim.bucket and k.env_id = claim.env_id and k.user_id = claim.user_id
      and k.key = claim.key`
  const found: (StoredAnswer | undefined)[] = claims.map(() => undefined)
  for (const { i, fingerprint, status, response } of rows) {
    found[i - 1] = { fingerprint, response: response ?? undefined, status }
  }
  return found
}

/** `response` is kept as the text it is (type json), so that a replay is the same to the byte. */
export async function updateKeys(
  tx: Tx,
  answers: readonly { readonly claim: Claim; readonly status: number; readonly response: string | null }[]
): Promise<void> {
  const { buckets, environments, users, keys } = columns(answers.map(answer => answer.claim))
  await tx`
    update idempotency_keys k set status = a.status, response = a.response::json
    from unnest(${buckets}::smallint[], ${environments}::text[], ${users}::text[], ${keys}::text[],
                ${answers.map(answer => answer.status)}::smallint[], ${answers.map(answer => answer.response)}::text[])
      as a (bucket, env_id, user_id, key, status, response)
    where k.bucket = a.bucket and k.env_id = a.env_id and k.user_id = a.user_id and k.key = a.key`
}

const BATCH = 5_000

/**
 * Forgets keys older than `hours`, a batch at a time: those of a busy hour are more than one statement may delete in its
 * time, and what is not deleted is more the next time.
 *
 * @returns how many; call again until it is 0
 */
export async function deleteOldKeys({ buckets, work }: Group, hours: number): Promise<number> {
  const gone = await work`
    with old as materialized (
      select bucket, env_id, user_id, key from idempotency_keys
      where (${buckets}::smallint[] is null or bucket = any(${buckets}::smallint[]))
        and created_at < now() - ${hours} * interval '1 hour'
      order by created_at limit ${BATCH} for update skip locked)
    delete from idempotency_keys k using old
    where (${buckets}::smallint[] is null or k.bucket = any(${buckets}::smallint[]))
      and k.bucket = old.bucket and k.env_id = old.env_id and k.user_id = old.user_id and k.key = old.key`
  return gone.count
}

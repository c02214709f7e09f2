// Who passed which gate when. The row of a gate is its lock: sends of one user and type pass one after the other, over all
// nodes, until the commit of the one before.

import type { UserKey } from '../../core/id.ts'
import type { Group, Tx } from '../../db/db.ts'

export interface GateKey extends UserKey {
  readonly notificationId: string
  readonly print: string
}

export interface GateState extends GateKey {
  /** Milliseconds since 1970, by the database's clock, which is the same for all nodes. */
  readonly passed: readonly number[]
  /** When the lock was had. */
  readonly at: number
}

/** Locks them in key order, which is what keeps two groups from waiting for each other. @param keys - each once */
export const lockGates = (tx: Tx, keys: readonly GateKey[]): Promise<GateState[]> => tx<GateState[]>`
  insert into gates as g (bucket, env_id, user_id, notification_id, print)
  select bucket, env_id, user_id, notification_id, print
  from unnest(
    ${keys.map(key => key.bucket)}::smallint[],
    ${keys.map(key => key.envId)}::text[],
    ${keys.map(key => key.userId)}::text[],
    ${keys.map(key => key.notificationId)}::text[],
    ${keys.map(key => key.print)}::text[]
  ) as k(bucket, env_id, user_id, notification_id, print)
  order by bucket, env_id, user_id, notification_id, print
  on conflict (bucket, env_id, user_id, notification_id, print) do update set passed = g.passed
  returning bucket, env_id as "envId", user_id as "userId", notification_id as "notificationId", print, passed,
    (extract(epoch from clock_timestamp()) * 1000)::bigint as at`

export interface Passed extends GateKey {
  readonly passed: readonly number[]
  /** Milliseconds since 1970; undefined: never. */
  readonly forgottenAt: number | undefined
}

export async function saveGates(tx: Tx, group: Group, gates: readonly Passed[]): Promise<void> {
  await tx`
    update gates g set passed = k.passed::jsonb, until = k.until
    from (
      select bucket, env_id, user_id, notification_id, print, passed,
        coalesce(timestamptz 'epoch' + until * interval '1 millisecond', 'infinity') as until
      from unnest(
        ${gates.map(gate => gate.bucket)}::smallint[],
        ${gates.map(gate => gate.envId)}::text[],
        ${gates.map(gate => gate.userId)}::text[],
        ${gates.map(gate => gate.notificationId)}::text[],
        ${gates.map(gate => gate.print)}::text[],
        ${gates.map(gate => JSON.stringify(gate.passed))}::text[],
        ${gates.map(gate => gate.forgottenAt ?? null)}::bigint[]
      ) as r(bucket, env_id, user_id, notification_id, print, passed, until)) k
    where (${group.buckets}::smallint[] is null or g.bucket = any(${group.buckets}::smallint[]))
      and g.bucket = k.bucket and g.env_id = k.env_id and g.user_id = k.user_id
      and g.notification_id = k.notification_id and g.print = k.print`
}

const BATCH = 1000

/** Gates that nobody remembers passing. @returns how many; call again until it is 0 */
export async function deleteOldGates({ buckets, work }: Group): Promise<number> {
  const gone = await work`
    with old as materialized (
      select bucket, env_id, user_id, notification_id, print from gates
      where (${buckets}::smallint[] is null or bucket = any(${buckets}::smallint[])) and until < now()
      limit ${BATCH} for update skip locked)
    delete from gates g using old
    where (${buckets}::smallint[] is null or g.bucket = any(${buckets}::smallint[]))
      and g.bucket = old.bucket and g.env_id = old.env_id and g.user_id = old.user_id
      and g.notification_id = old.notification_id and g.print = old.print`
  return gone.count
}

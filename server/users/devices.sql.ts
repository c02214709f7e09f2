// Reads and deletes devices for deliveries. Users add them in identify.sql.ts.

import { sha256 } from '../core/hash.ts'
import type { UserKey } from '../core/id.ts'
import type { DatabaseGroup, Query } from '../db/db.ts'
import { inGroupOf } from '../db/sql-helpers.ts'
import type { Device, DeviceKind, SubscriptionKeys } from './device.ts'

interface DeviceRow {
  readonly i: number
  readonly kind: DeviceKind
  readonly token: string | { readonly endpoint: string; readonly keys: SubscriptionKeys }
  readonly environment: 'sandbox' | 'production' | null
}

/**
 * Reads the devices of users of one database group, the most recently seen first. The arrays are in subqueries for the reason
 * given at `readContacts`.
 *
 * @param users - may contain the same user twice
 * @returns in the order of `users`
 */
export async function readDevices(query: Query, users: readonly UserKey[]): Promise<Device[][]> {
  const devices: Device[][] = users.map(() => [])
  if (users.length === 0) return devices
  const rows = await query<DeviceRow[]>`
    select k.i::int as i, d.kind, d.token, d.device ->> 'environment' as environment
    from unnest((select ${users.map(user => user.bucket)}::smallint[]), (select ${users.map(user => user.envId)}::text[]),
      (select ${users.map(user => user.userId)}::text[])) with ordinality as k (bucket, env_id, user_id, i)
    join devices d on ${inGroupOf(query, 'd')} and d.bucket = k.bucket and d.env_id = k.env_id and d.user_id = k.user_id
    order by d.seen_at desc, d.token_hash`
  for (const { i, kind, token, environment } of rows) {
    devices[i - 1]!.push(
      typeof token === 'string'
        ? { kind, to: token, ...(environment !== null && { environment }) }
        : { keys: token.keys, kind, to: token.endpoint }
    )
  }
  return devices
}

/** @param asOf - when the provider reported that the device is gone: a device that was seen later is kept */
export async function forgetDevice(
  group: DatabaseGroup,
  { bucket, envId, userId }: UserKey,
  { kind, to }: Pick<Device, 'kind' | 'to'>,
  asOf?: Date
): Promise<void> {
  await group.work`
    delete from devices
    where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId} and kind = ${kind}
      and token_hash = ${sha256(to)}
      and (${asOf?.toISOString() ?? null}::timestamptz is null or seen_at <= ${asOf?.toISOString() ?? null}::timestamptz)`
}

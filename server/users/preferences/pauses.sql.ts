// Reads the pauses of many users in one statement.

import type { Pause } from '#protocol'

import type { UserKey } from '../../core/id.ts'
import type { DatabaseGroup, Query } from '../../db/db.ts'
import type { DeliverySettings } from './delivery-settings.ts'

const OFF: Pause = { isOn: false, until: null }

/** A pause whose time is over counts as on: whoever reads it compares `until`. */
const toPause = ({ pausedUntil }: DeliverySettings): Pause => {
  if (pausedUntil === undefined) return OFF
  return { isOn: true, until: pausedUntil === null ? null : new Date(pausedUntil).toISOString() }
}

/** @returns in the order of `users` */
export async function readPauses(
  query: Query,
  buckets: DatabaseGroup['buckets'],
  users: readonly UserKey[]
): Promise<Pause[]> {
  const rows = await query<{ settings: DeliverySettings | null }[]>`
    select u.delivery_settings as settings
    from unnest(
      ${users.map(user => user.bucket)}::smallint[],
      ${users.map(user => user.envId)}::text[],
      ${users.map(user => user.userId)}::text[]
    ) with ordinality as r(bucket, env_id, user_id, reader)
    left join users u on u.bucket = r.bucket and u.env_id = r.env_id and u.id = r.user_id
      and (${buckets}::smallint[] is null or u.bucket = any(${buckets}::smallint[]))
    order by r.reader`
  return rows.map(({ settings }) => toPause(settings ?? {}))
}

// Fills the log with many sends of the last days by SQL: the provider accepted most of them, and some failed.

import { placementHash } from '../../server/core/id.ts'
import type { Sql } from '../../server/db/db.ts'

const DAY = 86_400_000

/** The sends are spread over these days, which end today. */
export const LOG_DAYS = 10

/** A value that only the oldest sends have. */
export const RARE = { type: 'rare', user: 'somebody' } as const

export interface Filling {
  readonly envId: string
  readonly rows: number
  /** One in so many failed at its provider, and one between two of these has no address. */
  readonly failing: number
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Creates the partitions of past days. */
export async function makeDays(sql: Sql, now: number, days: number): Promise<void> {
  const today = Math.floor(now / DAY) * DAY
  for (let ago = 2; ago <= days; ago++) {
    const from = today - ago * DAY
    const name = new Date(from).toISOString().slice(0, 10).replaceAll('-', '')
    for (const table of ['sends', 'attempts']) {
      await sql.unsafe(`create table if not exists ${table}_${name} partition of ${table}
        for values from (uuid_at(to_timestamp(${from / 1000}))) to (uuid_at(to_timestamp(${(from + DAY) / 1000})))`)
    }
  }
}

const AT_ONCE = 50_000

export async function fillLog(sql: Sql, { envId, failing, now, rows }: Filling): Promise<void> {
  await makeDays(sql, now, LOG_DAYS)
  const step = ((LOG_DAYS - 1) * DAY) / rows
  const place = placementHash(envId, RARE.user)
  for (let first = 0; first < rows; first += AT_ONCE) {
    // The uuidv7 of each send: its time, random bits, and the placement hash of its user. Row 0 is the oldest.
    await sql`
      with made as materialized (
        select n, p.place, n % ${failing}::int = ${failing >> 1}::int as dead, n % ${failing}::int = 0 as homeless,
          lpad(to_hex((${now - (LOG_DAYS - 1) * DAY}::float8 + n * ${step}::float8)::bigint), 12, '0') as time,
          '7' || lpad(to_hex(n & 4095), 3, '0') || '8' || lpad(to_hex(n), 11, '0') || lpad(to_hex(p.place), 4, '0') as rest,
          case when n < 200 then ${RARE.user} else 'user' || n end as user_id,
          case when n < 200 then ${RARE.type} else 'invoice' end as type
        from generate_series(${first}::int, ${Math.min(rows, first + AT_ONCE) - 1}::int) n
        cross join lateral (select case when n < 200 then ${place}::int else (n::bigint * 40503 & 65535)::int end as place) p),
      sent as (
        insert into sends (bucket, id, env_id, user_id, notification_id, body, decisions)
        select place >> 6, (time || rest)::uuid, ${envId}, user_id, type,
          jsonb_build_object('type', type, 'to', jsonb_build_object('id', user_id, 'email', user_id || '@example.com'),
            'parameters', jsonb_build_object('n', n, 'item', 'A pair of red shoes')),
          case when homeless then '{"EMAIL": "no-address"}' else '{"EMAIL": "sent"}' end::jsonb from made)
      insert into attempts (bucket, id, send_id, delivery_id, env_id, user_id, notification_id, channel, claim_count, outcome, code, took_ms)
      select place >> 6, (time || rest)::uuid, (time || rest)::uuid, (time || rest)::uuid, ${envId}, user_id, type,
        'EMAIL', 1, case when dead then 'dead' else 'sent' end, case when dead then '550' end, 12
      from made where not homeless`
  }
  await sql.unsafe('vacuum analyze sends, attempts')
}

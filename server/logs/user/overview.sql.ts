// Reads what waits for a user, and the last deliveries that failed: each by an index of the user, within limits.

import { lowestIdAt, type UserKey } from '../../core/id.ts'
import type { Fragment, Query } from '../../db/db.ts'

/** Rows that wait, of each kind. */
export const MAX_WAITING = 50
export const MAX_FAULTS = 10
/** Sends of the user whose attempts are read. */
export const MAX_SEARCHED_SENDS = 100
/** Items of a digest that are counted. */
const MAX_COUNTED_ITEMS = 1000

export interface WaitingRow {
  readonly id: string
  readonly queue: 'DIGEST' | 'ESCALATE' | 'HELD' | 'SCHEDULE'
  readonly sendId: string | null
  readonly runAt: Date
  readonly channel: string | null
  readonly type: string | null
  /** Of a digest: milliseconds since 1970. */
  readonly dueAt: number | null
  readonly held: { readonly queue: string; readonly until: number | null } | null
  readonly itemCount: number
}

/** The next ones first, one more than {@link MAX_WAITING} if there are more. */
export const waitingStatement = (
  query: Query,
  { bucket, envId, userId }: UserKey,
  queues: Fragment
): Fragment => query`
  select o.id, o.queue, o.send_id as "sendId", o.run_at as "runAt", o.body ->> 'channel' as channel,
    o.body ->> 'notificationId' as type, (o.body ->> 'dueAt')::float8 as "dueAt",
    case when o.queue = 'HELD' then o.body -> 'held' end as held,
    case when o.queue = 'DIGEST' then (
      select count(*)::integer from (
        select from digest_items i where i.bucket = o.bucket and i.key = o.key limit ${MAX_COUNTED_ITEMS}) n) else 0 end as "itemCount"
  from outbox o
  where o.bucket = ${bucket} and o.env_id = ${envId} and o.user_id = ${userId} and ${queues}
  order by o.run_at, o.id limit ${MAX_WAITING + 1}`

export async function readWaiting(query: Query, user: UserKey): Promise<WaitingRow[]> {
  const rows = await Promise.all([
    query<WaitingRow[]>`${waitingStatement(query, user, query`o.queue in ('DIGEST', 'HELD', 'ESCALATE')`)}`,
    query<WaitingRow[]>`${waitingStatement(query, user, query`o.queue = 'SCHEDULE'`)}`
  ])
  return rows.flat()
}

export interface FaultRow {
  readonly id: string
  readonly sendId: string
  readonly channel: string
  readonly type: string
  readonly code: string | null
  readonly detail: string | null
  readonly address: string | null
}

/** Deliveries that failed for good among the newest sends of the user, the newest first. */
export const faultsStatement = (
  query: Query,
  { bucket, envId, userId }: UserKey,
  fromMs: number
): Fragment => query`
  select a.id, a.send_id as "sendId", a.channel, a.notification_id as type, a.code, a.detail, a.address
  from (
    select s.id from sends s
    where s.bucket = ${bucket} and s.env_id = ${envId} and s.user_id = ${userId} and s.id >= ${lowestIdAt(fromMs)}::uuid
    order by s.id desc limit ${MAX_SEARCHED_SENDS}) r
  join attempts a on a.bucket = ${bucket} and a.send_id = r.id and a.id >= ${lowestIdAt(fromMs)}::uuid
  where a.outcome in ('dead', 'gone')
  order by a.id desc limit ${MAX_FAULTS}`

export interface DeviceUse {
  readonly kind: 'apn' | 'fcm' | 'web'
  readonly token: unknown
  readonly device: Readonly<Record<string, unknown>>
  readonly seenAt: Date
}

/** The last used ones first. */
export const readDeviceUses = (query: Query, { bucket, envId, userId }: UserKey): Promise<DeviceUse[]> =>
  query<DeviceUse[]>`
    select kind, token, device, seen_at as "seenAt" from devices
    where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId}
    order by seen_at desc, token_hash`

// Reads, releases and reschedules held rows. Lock order: rows of the queue HELD by id, after digest rows.

import type { UserKey } from '../../core/id.ts'
import type { DatabaseGroup, Tx } from '../../db/db.ts'
import { inGroup, unnest, USER_KEY_COLUMNS } from '../../db/sql-helpers.ts'
import { MAX_ATTEMPTS } from '../../queue/backoff.ts'
import type { ClaimedRow } from '../../queue/outbox.sql.ts'
import type { QueueName } from '../../queue/queues.ts'
import type { DeliverySettings } from '../../users/preferences/delivery-settings.ts'
import type { HeldDelivery } from './held-row.ts'

export interface HeldRow extends UserKey {
  readonly id: string
  readonly held: HeldDelivery
}

/** Locks the held rows of the users of claimed rows that are due or claimed, and returns the oldest of them. */
export const lockHeldRows = (
  tx: Tx,
  group: DatabaseGroup,
  claimed: readonly ClaimedRow[],
  limit: number
): Promise<HeldRow[]> => tx<HeldRow[]>`
  select o.bucket, o.id, o.env_id as "envId", o.user_id as "userId", o.body -> 'held' as held
  from outbox o
  join (select distinct bucket, env_id, user_id from ${unnest(tx, 'r', claimed, USER_KEY_COLUMNS)}) u
    on o.bucket = u.bucket and o.env_id = u.env_id and o.user_id = u.user_id
  where ${inGroup(group, 'o')} and o.queue = 'HELD' and (o.leased or o.run_at <= now())
  order by o.bucket, o.id limit ${limit} for update of o`

export interface UserSettings extends UserKey {
  readonly settings: DeliverySettings | null
  readonly timezone: string | null
}

/** Reads what applies now. A change that commits later finds these rows locked, and makes them due again. */
export const readUserSettings = (
  tx: Tx,
  group: DatabaseGroup,
  rows: readonly UserKey[]
): Promise<UserSettings[]> => tx<UserSettings[]>`
  select u.bucket, u.env_id as "envId", u.id as "userId", u.delivery_settings as settings, u.timezone
  from users u
  join (select distinct bucket, env_id, user_id from ${unnest(tx, 'r', rows, USER_KEY_COLUMNS)}) w
    on u.bucket = w.bucket and u.env_id = w.env_id and u.id = w.user_id
  where ${inGroup(group, 'u')}`

const ROW_COLUMNS = { bucket: 'smallint', id: 'uuid' } as const

export type ReleasedRow = Pick<HeldRow, 'bucket' | 'id'> & { readonly queue: QueueName }

/** @param micros - since 1970 */
const toTimestamp = (micros: number): string =>
  new Date(Math.floor(micros / 1000)).toISOString().replace('Z', `${String(micros % 1000).padStart(3, '0')}Z`)

/** Moves the rows to their queues in the given order. Their claims end. */
export async function releaseRows(tx: Tx, group: DatabaseGroup, rows: readonly ReleasedRow[]): Promise<void> {
  if (rows.length === 0) return
  // Read by itself, because Citus allows neither a clock nor a sum of times in an update of distributed rows.
  const [clock] = await tx<{ micros: number }[]>`
    select (extract(epoch from clock_timestamp()) * 1000000)::bigint as micros`
  const dueAt = new Map(rows.map((row, i) => [row, toTimestamp(clock!.micros + i)]))
  const released = unnest(
    tx,
    'r',
    rows,
    { ...ROW_COLUMNS, queue: 'text' },
    { due_at: ['timestamptz', row => dueAt.get(row)] }
  )
  await tx`
    update outbox o set queue = r.queue, body = o.body - 'held', leased = false, attempts_left = ${MAX_ATTEMPTS},
      run_at = r.due_at, claim_count = case when o.claim_count = 32767 then 1 else o.claim_count + 1 end
    from ${released}
    where ${inGroup(group, 'o')} and o.bucket = r.bucket and o.id = r.id`
}

export type RescheduledRow = Pick<HeldRow, 'bucket' | 'held' | 'id'> & {
  readonly dueAt: Date
}

/** The least wait, although the clocks of process and database may differ. */
const MIN_WAIT = '1 second'

/** Lets the rows wait on. Their claims end. Rows with the same time are due together, so that they keep their order. */
export async function holdRows(tx: Tx, group: DatabaseGroup, rows: readonly RescheduledRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx`
    update outbox o set body = o.body || r.body::jsonb, leased = false,
      attempts_left = ${MAX_ATTEMPTS}, run_at = r.wait_until,
      claim_count = case when o.claim_count = 32767 then 1 else o.claim_count + 1 end
    from (
      select f.*, greatest(f.due_at, now() + ${MIN_WAIT}::interval) as wait_until
      from ${unnest(tx, 'f', rows, { ...ROW_COLUMNS, due_at: 'timestamptz' }, { body: ['text', row => JSON.stringify({ held: row.held })] })}) r
    where ${inGroup(group, 'o')} and o.bucket = r.bucket and o.id = r.id`
}

/** Makes claimed rows due again that did not fit into the batch. */
export async function returnRows(
  tx: Tx,
  group: DatabaseGroup,
  rows: readonly Pick<ClaimedRow, 'bucket' | 'claimCount' | 'id'>[]
): Promise<void> {
  if (rows.length === 0) return
  await tx`
    update outbox o set run_at = now(), leased = false, attempts_left = ${MAX_ATTEMPTS}
    from ${unnest(tx, 'r', rows, { ...ROW_COLUMNS, claim_count: 'smallint' })}
    where ${inGroup(group, 'o')} and o.queue = 'HELD' and o.bucket = r.bucket and o.id = r.id
      and o.claim_count = r.claim_count`
}

// The invariant of all fault tests: accepted = delivered, dead or waiting; nothing twice; counters = counts.

import assert from 'node:assert/strict'

import type { Sql } from '../../server/db/db.ts'

export interface Balance {
  readonly sends: number
  /** Sends without any item, attempt, waiting row, dead letter, stored message or digest. */
  readonly lost: readonly string[]
  /** Inbox items that stand twice. */
  readonly doubled: readonly string[]
  /** Inboxes whose counters differ from their items. */
  readonly drifted: readonly string[]
  /** Sends by email without a stored message, waiting row or dead letter. */
  readonly unmailed: readonly string[]
  /** Emails that were stored more than once for one send. Only counted, because delivery is at least once. */
  readonly mailedTwice: number
}

const ids = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)

/** Reads every row, so it is for small databases only. */
export async function balance(sql: Sql): Promise<Balance> {
  const [count] = await sql<{ sends: number }[]>`select count(*)::int as sends from sends`
  const lost = await sql<{ id: string }[]>`
    select s.id from sends s
    where s.digests is null and exists (select from jsonb_each_text(s.decisions) as d where d.value = 'sent')
      and not exists (select 1 from digest_items w where w.bucket = s.bucket and w.id = s.id)
      and not exists (select 1 from attempts a where a.bucket = s.bucket and a.send_id = s.id and a.outcome in ('sent', 'dead', 'gone'))
      and not exists (select 1 from outbox o where o.bucket = s.bucket and o.send_id = s.id)
      and not exists (select 1 from dead_letters d where d.bucket = s.bucket and d.send_id = s.id)
      and not exists (select 1 from inbox_items i where i.bucket = s.bucket and i.env_id = s.env_id and i.user_id = s.user_id and i.id = s.id)`
  const doubled = await sql<{ id: string }[]>`
    select i.id from inbox_items i group by i.id having count(*) > 1`
  const drifted = await sql<{ id: string }[]>`
    select h.user_id as id from inbox_counters h cross join lateral (
      select count(*) filter (where is_in and opened_at is null) as unopened,
        count(*) filter (where is_in) as unarchived,
        count(*) filter (where is_in and opened_at is null and seen_at is null) as unseen,
        count(*) filter (where snoozed_until is not null and not removed) as snoozed,
        max(greatest(seq, changed)) as version
      from inbox_items i
      cross join lateral (select archived_at is null and snoozed_until is null and not removed as is_in) as s
      where i.bucket = h.bucket and i.env_id = h.env_id and i.user_id = h.user_id) as c
    where (h.unopened, h.unarchived, h.unseen, h.snoozed, h.version)
      is distinct from (c.unopened, c.unarchived, c.unseen, c.snoozed, c.version)`
  const unmailed = await sql<{ id: string }[]>`
    select s.id from sends s where s.decisions ->> 'EMAIL' = 'sent'
      and not exists (select 1 from sandbox_messages m where m.bucket = s.bucket and m.send_id = s.id)
      and not exists (select 1 from outbox o where o.bucket = s.bucket and o.send_id = s.id)
      and not exists (select 1 from dead_letters d where d.bucket = s.bucket and d.send_id = s.id)`
  const [twice] = await sql<{ sends: number }[]>`
    select count(*)::int as sends from (
      select send_id from sandbox_messages group by bucket, send_id having count(*) > 1) as m`
  return {
    doubled: ids(doubled),
    drifted: ids(drifted),
    lost: ids(lost),
    mailedTwice: twice!.sends,
    sends: count!.sends,
    unmailed: ids(unmailed)
  }
}

/** @throws AssertionError with the differences */
export async function assertConserved(sql: Sql): Promise<Balance> {
  const found = await balance(sql)
  const { doubled, drifted, lost, unmailed } = found
  assert.deepEqual({ doubled, drifted, lost, unmailed }, { doubled: [], drifted: [], lost: [], unmailed: [] })
  return found
}

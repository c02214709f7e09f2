// If a rate limits a queue, the burst of one environment does not delay the others.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createLog } from '../../server/core/log.ts'
import type { Db, DatabaseGroup, Tx } from '../../server/db/db.ts'
import type { OpenQueues } from '../../server/queue/open-queues.ts'
import {
  claim,
  readDueEnvironments,
  type ClaimedRow,
  type NewOutboxRow
} from '../../server/queue/outbox.sql.ts'
import type { Outcome } from '../../server/queue/outcome.ts'
import { NO_FLOOR } from '../../server/queue/scan-floor.ts'
import { TenantFairness } from '../../server/queue/tenant-fairness.ts'
import { openTestDb, testDb } from '../support/db.ts'
import { deliver, onlyGroup, openTestQueues, newRow, put, signal } from './test-queue.ts'

const SENT: Outcome = { kind: 'sent', ref: 'ok' }
const BURST = 2000

/** Rows of one environment, all due, a millisecond apart. */
const burst = (db: Db): Promise<unknown> => onlyGroup(db).sql`
  insert into outbox (bucket, id, queue, run_at, env_id, user_id, send_id, body)
  select 1, overlay(uuid_at(now())::text placing lpad(to_hex(i), 12, '0') from 25)::uuid, 'EMAIL',
    now() - interval '1 hour' + i * interval '1 ms', 'loud', 'u', gen_random_uuid(), '{}'
  from generate_series(1, ${BURST}) i`

const of = (envId: string, user: string): NewOutboxRow => ({ ...newRow(user), envId })

/** Mails in the order of their starts, until so many have begun. */
async function starts(queues: OpenQueues, attemptsPerSecond: number, many: number): Promise<ClaimedRow[]> {
  const rows: ClaimedRow[] = []
  const enough = signal()
  queues.add(
    deliver(
      async row => {
        rows.push(row)
        if (rows.length === many) enough.resolve()
        return SENT
      },
      { attemptsPerSecond }
    )
  )
  queues.start()
  await enough.promise
  await queues.stop(1000)
  return rows.slice(0, many)
}

for (const perSecond of [20, 200]) {
  test(`serves environments in turn at ${perSecond} per second`, { timeout: 60_000 }, async () => {
    await using t = await testDb()
    await burst(t.db)
    await put(t.db, [of('quiet', 'a'), of('quiet', 'b'), of('other', 'c')])
    await using queues = openTestQueues(t.db)
    const first = await starts(queues, perSecond, 60)
    const others = first.filter(({ envId }) => envId !== 'loud')
    assert.deepEqual(others.map(({ userId }) => userId).toSorted(), ['a', 'b', 'c'])
    // The busy environment continues with its oldest row, and skips none.
    const busy = first
      .filter(({ envId }) => envId === 'loud')
      .map(({ id }) => Number.parseInt(id.slice(-12), 16))
    assert.deepEqual(
      busy,
      busy.map((_, i) => i + 1)
    )
  })
}

test(
  'delivers all rows of all environments, also those that arrive meanwhile',
  { timeout: 60_000 },
  async () => {
    await using t = await testDb()
    await burst(t.db)
    await onlyGroup(t.db).sql`update outbox set env_id = 'e' || (get_byte(uuid_send(id), 15) % 7)`
    await using queues = openTestQueues(t.db)
    const deliveredEnvs: string[] = []
    queues.add(
      deliver(
        async row => {
          if (deliveredEnvs.push(row.id) === 500) await put(t.db, [of('new', 'late')])
          return SENT
        },
        { attemptsPerSecond: 10_000 }
      )
    )
    queues.start()
    await queues.idle('EMAIL')
    assert.equal(deliveredEnvs.length, BURST + 1)
    assert.equal(new Set(deliveredEnvs).size, BURST + 1)
  }
)

/** Rows of the outbox that this transaction has read. */
async function readIn(tx: Tx): Promise<number> {
  const [row] = await tx<{ read: number }[]>`
    select seq_tup_read + idx_tup_fetch as read from pg_stat_xact_user_tables where relname = 'outbox'`
  return row!.read
}

/** For connections that are opened from now on. */
async function failLooks(db: Db): Promise<void> {
  const { sql } = onlyGroup(db)
  await sql`
    create function too_slow(timestamptz, timestamptz) returns timestamptz language plpgsql as 'begin
      raise exception ''canceling statement due to statement timeout'' using errcode = ''57014''; end'`
  await sql`create aggregate public.min(timestamptz) (sfunc = too_slow, stype = timestamptz)`
  const [row] = await sql<{ name: string }[]>`select current_database() as name`
  await sql`alter database ${sql(row!.name)} set search_path = public, pg_catalog`
}

test('attempts rows even if the waiting environments cannot be read', { timeout: 20_000 }, async () => {
  await using t = await testDb()
  await burst(t.db)
  await failLooks(t.db)
  const db = await openTestDb({ connections: 2, listenUrl: '', url: t.url })
  try {
    const queues = openTestQueues(db)
    const first = await starts(queues, 200, 60)
    assert.deepEqual(
      first.map(({ id }) => Number.parseInt(id.slice(-12), 16)),
      first.map((_, i) => i + 1)
    )
  } finally {
    await db.close()
  }
})

test('reads only the rows of the environment whose turn it is', { timeout: 60_000 }, async () => {
  await using t = await testDb()
  await burst(t.db)
  await put(t.db, [of('quiet', 'a')])
  const group = onlyGroup(t.db)
  await group.sql`update outbox set run_at = now() - interval '1 hour' where env_id = 'quiet'`
  await group.sql`analyze outbox`
  await group.sql.begin(async tx => {
    const own = { buckets: null, sql: tx, work: tx } as unknown as DatabaseGroup
    const waiting = (await readDueEnvironments(own, 'EMAIL', NO_FLOOR)).find(
      ({ envId }) => envId === 'quiet'
    )!
    const before = await readIn(tx)
    const rows = await claim(own, { queue: 'EMAIL', leaseMs: 1000, limit: 10, ...waiting })
    assert.equal(rows.length, 1)
    const read = (await readIn(tx)) - before
    assert.ok(read < 20, `${read} rows of ${BURST}`)
  })
})

test('claims rows soon that another node returns to the queue', { timeout: 30_000 }, async () => {
  await using t = await testDb()
  await burst(t.db)
  await using queues = openTestQueues(t.db)
  const turns = signal()
  const claimed = signal()
  let begun = 0
  queues.add(
    deliver(
      async row => {
        begun += 1
        if (begun === 20) turns.resolve()
        if (row.userId === 'older') claimed.resolve()
        return SENT
      },
      { attemptsPerSecond: 20 }
    )
  )
  queues.start()
  await turns.promise
  await put(t.db, [{ ...of('loud', 'older'), runAt: new Date(Date.now() - 7_200_000) }])
  const begunBefore = begun
  queues.rescan('EMAIL')
  await claimed.promise
  // Four seconds at the rate of the queue.
  assert.ok(begun - begunBefore < 80, `${begun - begunBefore} attempts: it waited for the next reading`)
})

test('serves a new environment of a long queue immediately', { timeout: 30_000 }, async () => {
  await using t = await testDb()
  await burst(t.db)
  await using queues = openTestQueues(t.db)
  const turns = signal()
  const claimed = signal()
  let begun = 0
  queues.add(
    deliver(
      async ({ envId }) => {
        begun += 1
        if (begun === 40) turns.resolve()
        if (envId === 'new') claimed.resolve()
        return SENT
      },
      { attemptsPerSecond: 20 }
    )
  )
  queues.start()
  await turns.promise
  await put(t.db, [of('new', 'a')])
  const begunBefore = begun
  await claimed.promise
  // Three seconds at the rate of the queue.
  assert.ok(begun - begunBefore < 60, `${begun - begunBefore} attempts: it waited for the next full scan`)
})

test('serves waiting environments before those that keep sending', async t => {
  await using own = await testDb()
  const early = ['a', 'b', 'c', 'd']
  for (const envId of early) await put(own.db, [of(envId, 'u')])
  // With a stopped clock no interval passes: each claim reads the waiting environments.
  t.mock.method(performance, 'now', () => 0)
  const turns = new TenantFairness(onlyGroup(own.db), true, createLog('silent'))
  const served: string[] = []
  const order = [...early]
  for (let i = 0; i < 10; i++) {
    const { rows } = await turns.claim({ queue: 'EMAIL', leaseMs: 60_000, limit: 1, minRunAt: NO_FLOOR })
    served.push(...rows.map(({ envId }) => envId))
    order.push(`new${i}`)
    await put(own.db, [of(`new${i}`, 'u')])
  }
  assert.deepEqual(served, order.slice(0, 10))
})

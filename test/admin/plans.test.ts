// Housekeeping of a large database reads an index bucket by bucket, a page of the audit log reads few rows, and what happens in one
// inbox reads neither other inboxes nor the whole queue.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { deleteOld, olderThan } from '../../server/admin/housekeeping.sql.ts'
import { lowestIdAt } from '../../server/core/id.ts'
import type { DatabaseGroup, Tx } from '../../server/db/db.ts'
import { readEntries } from '../../server/http/audit/audit.sql.ts'
import { readItemStates } from '../../server/inbox/item-states.sql.ts'
import { patchItems } from '../../server/inbox/patch-items.sql.ts'
import { readChanges, readPage } from '../../server/inbox/read-inbox.sql.ts'
import { endSnoozes, enqueueSnoozes } from '../../server/inbox/snooze.sql.ts'
import { undoAllWrite } from '../../server/inbox/undo-all.sql.ts'
import { changeContent, readContent } from '../../server/inbox/updates/change-item.sql.ts'
import { countByType, VIEWS } from '../../server/inbox/views.sql.ts'
import type { ClaimedRow } from '../../server/queue/outbox.sql.ts'
import { cancelDelays, cancelDigestItems } from '../../server/send/after-read/cancel.sql.ts'
import {
  enqueueOnce,
  findDeliveredPushes,
  hasFollowers
} from '../../server/send/after-read/close-pushes.sql.ts'
import { retractDelays } from '../../server/send/escalation/escalation.sql.ts'
import {
  holdRows,
  lockHeldRows,
  readUserSettings,
  releaseRows,
  returnRows
} from '../../server/send/hold/held-rows.sql.ts'
import { newItem, target, userKey } from '../inbox/test-items.ts'
import { testDb } from '../support/db.ts'
import { insertInboxItems } from '../support/fixtures.ts'
import { plainPostgresOnly } from '../support/plain-postgres.ts'

/** So many that an index pays. */
const ROWS = 40_000
const skip = plainPostgresOnly('it reads plans')

interface Plan {
  readonly 'Node Type': string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  /** With `analyze`. */
  readonly 'Actual Rows'?: number
  readonly 'Actual Loops'?: number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}

const flat = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flat)]

for (const [table, more, values] of [
  ['receipts', 'send_id, channel, outcome, provider_ref', `gen_random_uuid(), 'SMS', 'delivered', i`],
  ['sandbox_messages', 'notification_id, channel, message', `'news', 'SMS', '{}'`],
  ['call_texts', 'text, language', `'hello', 'en-US'`],
  [
    'dead_letters',
    'queue, claim_count, body, code, died_at',
    `'SMS', 1, '{}', 'x', now() - (i % 40 - 0.5) * interval '1 day'`
  ]
] as const) {
  test(`reads only old rows of ${table} in each bucket`, { skip }, async () => {
    await using t = await testDb()
    const group = t.db.groups[0]!
    await group.work.unsafe(`
      insert into ${table} (bucket, id, env_id, user_id, ${more})
      select i % 1024, overlay(uuid_at(now() - (i % 40 + 0.5) * interval '1 day')::text
        placing lpad(to_hex(i), 12, '0') from 25)::uuid, 'env', 'u', ${values}
      from generate_series(1, ${ROWS}) i`)
    await group.work.unsafe(`vacuum analyze ${table}`)
    const [row] = await group.work<{ 'QUERY PLAN': readonly [{ Plan: Plan }] }[]>`
      explain (format json) ${olderThan(group, table, 38)}`
    const plans = flat(row!['QUERY PLAN'][0].Plan)
    assert.deepEqual(
      plans.filter(plan => plan['Node Type'] === 'Seq Scan'),
      []
    )
    const entered = plans.flatMap(plan => plan['Index Cond'] ?? [])
    assert.ok(entered.length > 0)
    for (const condition of entered) assert.match(condition, /bucket = .* AND \(id < /)

    const remove = () => deleteOld(group, table, 38)
    assert.equal((await remove()) + (await remove()), (ROWS / 40) * (table === 'dead_letters' ? 1 : 2))
  })
}

test('reads a page of the audit log from indexes, whatever it asks for', async () => {
  await using t = await testDb()
  const sql = t.db.control
  // A rare environment, far behind the newest entries.
  await sql.unsafe(`
    with calls as (
      insert into audit_calls (id, actor, action, method, route, env_id, user_digest, subject, address)
      select overlay(uuid_at(now() - i * interval '1 minute')::text placing lpad(to_hex(i), 12, '0') from 25)::uuid,
        case when i > 39000 and i % 100 = 0 then 'rare' else 'a' || i % 20 end, 'o' || i % 30, 'GET', '/',
        case when i > 39000 and i % 100 = 0 then 'rare' else 'e' || i % 50 end, 'u' || i % 400, 's' || i % 400, '::1'
      from generate_series(1, ${ROWS}) i returning id)
    insert into audit_answers (id, status) select id, 200 from calls`)
  await sql.unsafe('vacuum analyze audit_calls, audit_answers')
  const month = Date.now() - 28 * 86_400_000
  for (const query of [
    {},
    { clientId: 'rare' },
    { clientId: 'nobody' },
    { actor: 'rare' },
    { action: 'o7' },
    { clientId: 'e7', userDigest: 'u7' },
    { subject: 's7' },
    { before: lowestIdAt(month), clientId: 'e7' },
    { from: lowestIdAt(month - 3_600_000), until: lowestIdAt(month) }
  ]) {
    const [row] = await sql<{ 'QUERY PLAN': readonly [{ Plan: Plan }] }[]>`
      explain (analyze, format json) ${readEntries(sql, { ...query, limit: 51 })}`
    for (const plan of flat(row!['QUERY PLAN'][0].Plan)) {
      const rows = plan['Actual Rows']! * plan['Actual Loops']! + (plan['Rows Removed by Filter'] ?? 0)
      assert.ok(rows <= 110, `${JSON.stringify(query)}: ${plan['Node Type']} read ${rows} rows`)
      assert.notEqual(plan['Node Type'], 'Seq Scan')
    }
  }
})

/** New ones of one inbox; all others together have {@link ROWS}. */
const OWN_ITEMS = 20
/** Archived ones of that inbox. */
const OLD_ITEMS = 4_000
/** Rows that one statement may read of a table, with look-ups by several indexes. */
const MAX_READ = 400
const NOW = new Date().toISOString()
const LATER = new Date(Date.now() + 3_600_000)
const ADA = userKey('ada')
const READ = { keepingTypes: undefined, user: ADA, version: 1 }
const claimed = { ...ADA, claimCount: 1, id: newItem('ada').id } as ClaimedRow

/** Rows that this transaction has read, by table, and scans of whole tables. */
const readStatistics = (tx: Tx) => tx<{ table: string; scans: number; rows: number }[]>`
  select relname as table, seq_scan::int as scans, coalesce(idx_tup_fetch, 0)::int as rows from pg_stat_xact_user_tables
  where relname in ('inbox_items', 'inbox_counters', 'outbox', 'digest_items', 'sends', 'users', 'devices')`

/** Statements of one inbox. `ids`: tracking ids of its items. */
const STATEMENTS: Readonly<
  Record<string, (tx: Tx, group: DatabaseGroup, ids: readonly string[]) => Promise<unknown>>
> = {
  'a patch of items': (tx, _, ids) => patchItems(tx, ADA, { opened: NOW, trackingIds: ids.slice(0, 3) }),
  'archive all': tx => patchItems(tx, ADA, { archived: NOW, trackingIds: 'ALL' }),
  'archive all of a type': tx => patchItems(tx, ADA, { archived: NOW, trackingIds: 'ALL', types: ['t1'] }),
  'cancel delays': (tx, group) => cancelDelays(tx, group, READ),
  'cancel digest items': (tx, group) => cancelDigestItems(tx, group, READ),
  'close pushes': (tx, group, ids) => findDeliveredPushes(tx, group, ADA, ids),
  'content of an item': (tx, _, ids) => readContent(tx, ADA, ids[0]!),
  counts: tx => countByType(tx, ADA),
  'counts of types': tx => countByType(tx, ADA, ['t1']),
  'enqueue once': tx =>
    enqueueOnce(tx, [{ ...ADA, body: {}, id: newItem('ada').id, key: 'once', queue: 'APN' }]),
  followers: tx => hasFollowers(tx, ADA),
  'held rows': (tx, group) => lockHeldRows(tx, group, [claimed], 10),
  'hold rows': (tx, group) => holdRows(tx, group, [{ ...claimed, dueAt: LATER, held: {} as never }]),
  'missed changes': tx => readChanges(tx, null, [{ ...ADA, since: OLD_ITEMS }], { maxItems: 500 }),
  'release rows': (tx, group) => releaseRows(tx, group, [{ ...claimed, queue: 'EMAIL' }]),
  'retract delays': (tx, group) => retractDelays(tx, group, { ...ADA, notificationId: 't1' }),
  'return rows': (tx, group) => returnRows(tx, group, [claimed]),
  'settings of held rows': (tx, group) => readUserSettings(tx, group, [ADA]),
  snooze: (tx, _, ids) => patchItems(tx, ADA, { snoozedUntil: LATER.toISOString(), trackingIds: ids }),
  'snooze jobs': (tx, _, ids) => enqueueSnoozes(tx, ADA, ids, LATER),
  'states of items': (tx, group, ids) =>
    readItemStates(
      tx,
      group,
      ids.map(id => target('ada', id))
    ),
  'undo of all': async tx => {
    const { change } = await patchItems(tx, ADA, { archived: NOW, trackingIds: 'ALL' })
    return undoAllWrite(tx, ADA, change.version, undefined)
  },
  'update of an item': (tx, _, [id]) =>
    changeContent(tx, ADA, id!, content => ({ content, resurfaces: true })),
  'wake-up': (tx, _, ids) =>
    endSnoozes(
      tx,
      null,
      ids.map(id => target('ada', id))
    ),
  ...Object.fromEntries(VIEWS.map(view => [`view ${view}`, (tx: Tx) => readPage(tx, ADA, 10, { view })]))
}

test('statements about one inbox read its own rows from indexes', { skip }, async t => {
  await using base = await testDb()
  const group = base.db.groups[0]!
  const sql = base.db.control
  const items = Array.from({ length: OWN_ITEMS }, (_, i) => newItem('ada', { notificationId: `t${i % 2}` }))
  await sql.begin(tx => insertInboxItems(tx as unknown as Tx, items))
  // What the user dealt with long ago, which actions and views of the rest do not read.
  await sql.unsafe(`
    insert into inbox_items (bucket, env_id, user_id, seq, id, notification_id, content, changed, opened_at, archived_at)
    select ${ADA.bucket}, 'env', 'ada', i, gen_random_uuid(), 't1', '{}', i, now(), now()
    from generate_series(1, ${OLD_ITEMS}) i`)
  // Other inboxes of the same bucket, and a queue in which others wait.
  await sql.unsafe(`
    insert into inbox_items (bucket, env_id, user_id, seq, id, notification_id, content, changed, opened_at, archived_at, snoozed_until)
    select ${ADA.bucket}, 'env', 'u' || i % 400, i, gen_random_uuid(), 't' || i % 2, '{}', i,
      case when i % 3 = 0 then now() end, case when i % 5 = 0 then now() end, case when i % 7 = 0 then now() end
    from generate_series(1, ${ROWS}) i`)
  await sql.unsafe(`
    insert into inbox_counters (bucket, env_id, user_id, version)
    select ${ADA.bucket}, 'env', 'u' || i, ${ROWS} from generate_series(0, 4000) i`)
  await sql.unsafe(`
    insert into outbox (bucket, id, queue, env_id, user_id, key, send_id, body)
    select ${ADA.bucket}, gen_random_uuid(), (array['DIGEST', 'ESCALATE', 'HELD', 'SNOOZE', 'EMAIL'])[1 + i % 5],
      'env', 'u' || i % 4000, 'k' || i, gen_random_uuid(), '{}' from generate_series(1, ${ROWS}) i`)
  await sql.unsafe(`
    insert into digest_items (bucket, key, id, env_id, user_id, notification_id, channel, item)
    select ${ADA.bucket}, 'k' || i, gen_random_uuid(), 'env', 'u' || i % 4000, 't1', 'EMAIL', '{}'
    from generate_series(1, ${ROWS}) i`)
  await sql.unsafe(`
    insert into users (bucket, env_id, id) select ${ADA.bucket}, 'env', 'u' || i from generate_series(0, 4000) i`)
  await sql.unsafe('vacuum analyze inbox_items, inbox_counters, outbox, digest_items, users')
  const ids = items.map(({ id }) => id)
  const rollback = new Error('rollback')
  for (const [name, run] of Object.entries(STATEMENTS)) {
    await t.test(name, async () => {
      const work = group.work.begin(async given => {
        const tx = given as unknown as Tx
        const before = new Map((await readStatistics(tx)).map(one => [one.table, one]))
        await run(tx, group, ids)
        for (const { rows, scans, table } of await readStatistics(tx)) {
          assert.equal(scans, before.get(table)?.scans ?? 0, `scans all of ${table}`)
          const read = rows - (before.get(table)?.rows ?? 0)
          assert.ok(read <= MAX_READ, `reads ${read} rows of ${table}`)
        }
        throw rollback
      })
      await assert.rejects(work, error => {
        if (error !== rollback) throw error
        return true
      })
    })
  }
})

// Housekeeping of a large database reads an index bucket by bucket, and a page of the audit log reads few rows.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { deleteOld, olderThan } from '../../server/admin/housekeeping.sql.ts'
import { lowestIdAt } from '../../server/core/id.ts'
import { readEntries } from '../../server/http/audit/audit.sql.ts'
import { testDb } from '../support/db.ts'

/** So many that an index pays. */
const ROWS = 40_000

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
  test(`reads only old rows of ${table} in each bucket`, async () => {
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
      insert into audit_calls (id, actor, method, route, env_id, address)
      select overlay(uuid_at(now() - i * interval '1 minute')::text placing lpad(to_hex(i), 12, '0') from 25)::uuid,
        'admin', 'GET', '/', case when i > 39000 and i % 100 = 0 then 'rare' else 'e' || i % 50 end, '::1'
      from generate_series(1, ${ROWS}) i returning id)
    insert into audit_answers (id, status) select id, 200 from calls`)
  await sql.unsafe('vacuum analyze audit_calls, audit_answers')
  const month = Date.now() - 28 * 86_400_000
  for (const query of [
    {},
    { clientId: 'rare' },
    { clientId: 'nobody' },
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

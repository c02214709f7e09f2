// The status of a large environment reads small tables and bounded parts of indexes: never a table that grows as a whole.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { readEndingKeys, readUnsendable } from '../../../server/admin/status/attention.sql.ts'
import type { DatabaseGroup, Fragment } from '../../../server/db/db.ts'
import { readSteps, readUsual } from '../../../server/logs/minutes.sql.ts'
import { readDeadLetterGroups } from '../../../server/queue/dead-letters/dead-letters.sql.ts'
import { readWaiting } from '../../../server/queue/status/waiting.sql.ts'
import { testDb } from '../../support/db.ts'
import { plainPostgresOnly } from '../../support/plain-postgres.ts'

interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}

const flat = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flat)]

/** Fills the tables of the status with a large environment `big` beside others. */
async function fill({ work }: DatabaseGroup): Promise<void> {
  await work.unsafe(`
    insert into log_minutes (bucket, env_id, minute, channel, sent, failed, discarded)
    select 0, case when c > 3 then 'big' else 'e' || c end, date_trunc('minute', now()) - m * interval '1 minute', 'c' || c, 1, 1, 1
    from generate_series(0, 11500) m, generate_series(1, 6) c;
    insert into log_counts (bucket, env_id, day, notification_id, channel, result, count)
    select 0, 'big', current_date - d, 't' || t, 'SMS', r, 1
    from generate_series(0, 100) d, generate_series(1, 50) t, unnest(array['sent', 'no-template', 'dead']) r;
    insert into dead_letters (bucket, id, queue, claim_count, env_id, user_id, body, code)
    select i % 1024, gen_random_uuid(), 'EMAIL', 1, 'big', 'u', '{}', 'c' || i % 4 from generate_series(1, 40000) i;
    insert into outbox (bucket, id, queue, env_id, user_id, body)
    select i % 1024, gen_random_uuid(), 'EMAIL', case when i % 2 = 0 then 'big' else 'other' end, 'u', '{}'
    from generate_series(1, 30000) i;
    insert into environments (id, secret) values ('big', '');
    insert into log_count_deltas (bucket, id, env_id, notification_id, day, counts)
    select 0, gen_random_uuid(), 'big', 't', current_date, '{"EMAIL": {"sent": 1}}' from generate_series(1, 500)`)
  await work.unsafe('vacuum analyze log_minutes, log_counts, dead_letters, outbox, log_count_deltas')
}

const plans = plainPostgresOnly('it reads plans')
test('each statement reads a bounded number of rows', { skip: plans }, async () => {
  await using t = await testDb()
  const group = t.db.groups[0]!
  const { sql } = group
  await fill(group)
  const hour = new Date(Date.now() - 3_600_000)
  const week = new Date(Date.now() - 7 * 86_400_000)
  const statements: Readonly<Record<string, readonly [unknown, number]>> = {
    'dead letters by cause': [readDeadLetterGroups(group, 'big', 11, 1000), 1000],
    'ending keys': [readEndingKeys(sql, 'big', 14, 20), 20],
    'minutes of the last hour': [readSteps(group, 0, 'big', { from: hour, minutes: 1 }), 700],
    'steps of a week': [readSteps(group, 0, 'big', { from: week, minutes: 120 }), 31_000],
    'unsendable messages': [readUnsendable(group, 0, 'big', 20), 350],
    'waiting rows': [readWaiting(group, 'big', ['EMAIL', 'SMS'], 5000), 5001]
  }
  for (const [name, [statement, maxRows]] of Object.entries(statements)) {
    const [row] = await sql<{ 'QUERY PLAN': readonly [{ Plan: Plan }] }[]>`
      explain (analyze, format json) ${statement as Fragment}`
    for (const plan of flat(row!['QUERY PLAN'][0].Plan)) {
      if (plan['Relation Name'] === undefined) continue
      const rows = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)
      assert.ok(rows <= maxRows, `${name}: ${plan['Relation Name']} read ${rows} rows in one loop`)
      // No index would help: all rows of the group are of the last minute, and the read stops at a limit.
      if (plan['Relation Name'] === 'log_count_deltas') continue
      assert.notEqual(plan['Node Type'], 'Seq Scan', `${name}: ${plan['Relation Name']}`)
    }
  }
  const usual = await readUsual(group, 0, 'big', hour, new Date())
  assert.deepEqual([usual.days, Math.round(usual.sent / usual.days / 60)], [7, 3])
})

// What the screens of the dashboard read of a large environment: few rows, from indexes, whatever its size.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import {
  readFirstDelivery,
  readFirstSend,
  readFirstType
} from '../../server/admin/first-steps/first-steps.sql.ts'
import { bucketOf, lowestIdAt } from '../../server/core/id.ts'
import type { DatabaseGroup, Tx } from '../../server/db/db.ts'
import { listTasks, readTask } from '../../server/environments/tasks/tasks.sql.ts'
import { readSearchStep } from '../../server/logs/log-search.sql.ts'
import { typesStatement } from '../../server/logs/suggestions/types.sql.ts'
import { readTail } from '../../server/logs/tail/tail.sql.ts'
import { faultsStatement, readWaiting } from '../../server/logs/user/overview.sql.ts'
import { readDeadLetterGroups, readDeadLetters } from '../../server/queue/dead-letters/dead-letters.sql.ts'
import { listDigests } from '../../server/send/digest/list/list-digests.sql.ts'
import { listPublications, listVersions, readVersion } from '../../server/types/versions/versions.sql.ts'
import { readUserPage } from '../../server/users/user-pages.sql.ts'
import { testDb } from '../support/db.ts'
import { plainPostgresOnly } from '../support/plain-postgres.ts'

/** So many that an index pays. */
const ROWS = 40_000
/** Rows of one table that one read may fetch. */
const MAX_READ = 400
const ENV = 'env'
const NOW = Date.now()
const ADA = { bucket: bucketOf(ENV, 'u7'), envId: ENV, userId: 'u7' }
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
const SPAN = { high: LAST_ID, low: lowestIdAt(NOW - 86_400_000) }

type Read = (group: DatabaseGroup, tx: Tx) => Promise<unknown>

const READS: Readonly<Record<string, Read>> = {
  'a page of digests': group => listDigests(group, { envId: ENV, limit: 51 }),
  'a later page of digests': group =>
    listDigests(group, { after: { at: (NOW + 3_600_000) * 1000, id: LAST_ID }, envId: ENV, limit: 51 }),
  'a step of a search': (group, tx) =>
    readSearchStep(tx, group, { ascending: false, envId: ENV, now: NOW, types: ['t1'] }, SPAN, 200),
  'a step of a search for failures': (group, tx) =>
    readSearchStep(tx, group, { ascending: false, envId: ENV, now: NOW, statuses: ['failure'] }, SPAN, 200),
  'a step of a search for a user': (group, tx) =>
    readSearchStep(tx, group, { ascending: false, envId: ENV, now: NOW, users: ['u7'] }, SPAN, 200),
  'a task': (_, tx) => readTask(tx, ENV, LAST_ID),
  'a version': (_, tx) => readVersion(tx, ENV, 't7', 'published'),
  'causes of dead letters': group => readDeadLetterGroups(group, ENV, 50, 50),
  'dead letters': group => readDeadLetters(group, { envId: ENV }, 51, undefined),
  'faults of a user': (_, tx) => tx`${faultsStatement(tx, ADA, NOW - 86_400_000)}`,
  'first steps': async (group, tx) => [
    await readFirstType(tx, ENV),
    await readFirstSend(group, ENV),
    await readFirstDelivery(group, ENV)
  ],
  'publications of a type': (_, tx) => listPublications(tx, ENV, 't7', 20),
  'suggested types': (_, tx) => tx`${typesStatement(tx, ENV, 't1', 5)}`,
  'suggested users': group => readUserPage(group, { envId: ENV, limit: 5, text: 'u1' }),
  tasks: (_, tx) => listTasks(tx, ENV, { before: undefined, isBroadcast: false, state: undefined }, 51),
  'the live tail': group => readTail(group, ENV, NOW - 86_400_000, 300),
  'versions of a type': (_, tx) => listVersions(tx, ENV, 't7', { limit: 50 }),
  'what waits for a user': (_, tx) => readWaiting(tx, ADA)
}

const readStatistics = (tx: Tx) => tx<{ table: string; scans: number; rows: number }[]>`
  select relname as table, seq_scan::int as scans, coalesce(idx_tup_fetch, 0)::int as rows from pg_stat_xact_user_tables
  where relname in ('attempts', 'dead_letters', 'digest_items', 'notifications', 'outbox', 'tasks', 'type_publications', 'type_versions', 'users')
    or relname like 'sends%' or relname like 'attempts%'`

const statistics = plainPostgresOnly('it reads the statistics of one Postgres')
test('screens read few rows of a large environment', { skip: statistics }, async t => {
  await using base = await testDb()
  const sql = base.db.control
  const group = base.db.groups[0]!
  await sql.unsafe(`
    insert into environments (id, secret) select e, ''::bytea from unnest(array['env', 'other']) e;
    -- As many types as an environment may have in practice, and many more of another one.
    insert into notifications (env_id, id, title) select 'env', 't' || i, 'T' from generate_series(1, 100) i;
    insert into notifications (env_id, id, title) select 'other', 't' || i, 'T' from generate_series(1, 20000) i;
    insert into type_versions (env_id, notification_id, number, content, created_by)
      select 'other', 't' || (1 + i % 20000), 1 + i / 20000, '{}', 'a' from generate_series(0, ${ROWS} - 1) i;
    insert into tasks (id, env_id, kind, state, input, per_second, created_by)
      select gen_random_uuid(), case when i % 100 = 0 then 'env' else 'other' end, 'k', 'done', '{}', 1, 'a'
      from generate_series(1, ${ROWS}) i;
    insert into users (bucket, env_id, id, email)
      select i % 1024, 'env', 'u' || i, 'u' || i || '@b.example' from generate_series(1, ${ROWS}) i;
    insert into outbox (bucket, id, queue, run_at, env_id, user_id, key, send_id, body)
      select i % 1024, gen_random_uuid(), (array['DIGEST', 'EMAIL', 'SCHEDULE', 'HELD'])[1 + i % 4],
        now() + i * interval '1 second', case when i % 8 = 0 then 'other' else 'env' end, 'u' || i, 'k' || i, gen_random_uuid(),
        '{"notificationId":"t1","channel":"EMAIL","dueAt":1900000000000}' from generate_series(1, ${ROWS}) i;
    insert into digest_items (bucket, key, id, env_id, user_id, notification_id, channel, item)
      select i % 1024, 'k' || i, gen_random_uuid(), 'env', 'u' || i, 't1', 'EMAIL', '{}' from generate_series(1, ${ROWS}) i;
    insert into dead_letters (bucket, id, queue, claim_count, env_id, user_id, body, code, died_at)
      select i % 1024, gen_random_uuid(), 'EMAIL', 1, case when i % 100 = 0 then 'env' else 'other' end, 'u', '{}', 'c' || i % 5,
        now() - i * interval '1 second' from generate_series(1, ${ROWS}) i;
    insert into sends (bucket, id, env_id, user_id, notification_id, body, decisions, warnings)
      select i % 1024, overlay(uuid_at(now() - i * interval '1 second')::text placing lpad(to_hex(i), 12, '0') from 25)::uuid,
        case when i % 3 = 0 then 'other' else 'env' end, 'u' || i % 1000, 't' || i % 100, '{}',
        case when i % 50 = 0 then '{"EMAIL":"no-address"}' else '{"EMAIL":"sent"}' end::jsonb, '{}'
      from generate_series(1, ${ROWS}) i;
    insert into attempts (bucket, id, send_id, delivery_id, env_id, user_id, notification_id, channel, claim_count, outcome, took_ms)
      select bucket, id, id, gen_random_uuid(), env_id, user_id, notification_id, 'EMAIL', 1, 'sent', 12 from sends`)
  const tables = await sql<{ name: string }[]>`
    select string_agg(relname, ', ') as name from pg_class
    where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and not relispartition`
  await sql.unsafe(`vacuum analyze ${tables[0]!.name}`)
  const rollback = new Error('rollback')
  for (const [name, read] of Object.entries(READS)) {
    await t.test(name, async () => {
      const work = group.sql.begin(async given => {
        const tx = given as unknown as Tx
        const before = new Map((await readStatistics(tx)).map(one => [one.table, one]))
        await read({ ...group, sql: tx, work: tx } as unknown as DatabaseGroup, tx)
        for (const { rows, scans, table } of await readStatistics(tx)) {
          const own = before.get(table)
          // The empty partitions of other days are scanned for nothing.
          if (!/^(?:sends|attempts)/.test(table))
            assert.equal(scans - (own?.scans ?? 0), 0, `scans all of ${table}`)
          assert.ok(rows - (own?.rows ?? 0) <= MAX_READ, `reads ${rows - (own?.rows ?? 0)} rows of ${table}`)
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

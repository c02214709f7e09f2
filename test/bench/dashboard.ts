// What the screens of the dashboard cost the server: each of their routes, in one large environment.

import postgres from 'postgres'

import { bucketOf } from '../../server/core/id.ts'
import { fillLog, RARE } from '../logs/fill.ts'
import { testDb } from '../support/db.ts'
import { percentile, type Measurement, type Say } from './measure.ts'
import { BACK_END, CLIENT, serve } from './server.ts'

/** Milliseconds for one answer. */
const GOAL = 100
const FLOOR = 300
/** Users, for each ten sends. */
const USER_SHARE = 0.1
/** Rows of digests, schedules and dead letters. */
const WAITING = 100_000
const BATCH_SIZE = 100_000

type Sql = ReturnType<typeof postgres>

async function fillUsers(sql: Sql, count: number): Promise<void> {
  for (let first = 0; first < count; first += BATCH_SIZE)
    await sql`
      insert into users (bucket, env_id, id, email, number)
      select n & 1023, ${CLIENT}, 'user' || n, 'user' || n || '@example.com', '+1415' || lpad(n::text, 7, '0')
      from generate_series(${first}::int, ${Math.min(count, first + BATCH_SIZE) - 1}::int) n`
  await sql`
    insert into users (bucket, env_id, id, email)
    values (${bucketOf(CLIENT, RARE.user)}, ${CLIENT}, ${RARE.user}, 'somebody@example.com')`
}

async function fillQueues(sql: Sql): Promise<void> {
  await sql`
    insert into outbox (bucket, id, queue, run_at, env_id, user_id, key, send_id, body)
    select n & 1023, gen_random_uuid(), (array['DIGEST', 'SCHEDULE'])[1 + n % 2], now() + n * interval '1 second' + interval '1 day',
      ${CLIENT}, 'user' || n, 'k' || n, gen_random_uuid(),
      jsonb_build_object('notificationId', 'invoice', 'channel', 'EMAIL', 'dueAt', 1900000000000, 'warnings', '[]'::jsonb,
        'send', jsonb_build_object('type', 'invoice', 'schedule', '2030-01-01T00:00:00Z', 'to', jsonb_build_object('id', 'user' || n)))
    from generate_series(1, ${WAITING}::int) n`
  await sql`
    insert into digest_items (bucket, key, id, env_id, user_id, notification_id, channel, item)
    select n & 1023, 'k' || n, gen_random_uuid(), ${CLIENT}, 'user' || n, 'invoice', 'EMAIL', '{}'
    from generate_series(2, ${WAITING}::int, 2) n`
  await sql`
    insert into dead_letters (bucket, id, queue, claim_count, env_id, user_id, body, code, died_at)
    select n & 1023, gen_random_uuid(), (array['EMAIL', 'SMS', 'APN'])[1 + n % 3], 8, ${CLIENT}, 'user' || n,
      '{"notificationId": "invoice"}', 'code' || n % 7, now() - n * interval '1 second'
    from generate_series(1, ${WAITING}::int) n`
}

const query = (body: object) => ({ body: JSON.stringify(body), method: 'POST' })

/** Routes of each screen, as it asks them. */
const screensOf = (
  id: string
): Readonly<Record<string, readonly (readonly [path: string, init?: object])[]>> => ({
  'first run': [['/first-steps']],
  Now: [['/status'], ['/status/history?span=7d'], ['/logs/stats?by=type']],
  sends: [
    ['/logs/query', query({ limit: 50 })],
    ['/logs/query', query({ limit: 50, userFilter: [RARE.user] })],
    ['/logs/query', query({ limit: 50, statusFilter: ['failure'] })],
    ['/logs/query', query({ decisionFilter: ['sent'], limit: 50 })],
    ['/logs/suggestions?text=us'],
    ['/logs/live', query({})]
  ],
  'one send': [[`/logs/${id}`], [`/logs/${id}/explain`], [`/logs/${id}/content`]],
  users: [['/users?count=50'], ['/users?count=50&q=user77']],
  'one user': [[`/users/${RARE.user}`], [`/users/${RARE.user}/overview`], [`/users/${RARE.user}/inbox`]],
  types: [['/types'], ['/notifications']],
  'dead letters': [
    ['/dead-letters/groups'],
    ['/dead-letters?count=50'],
    ['/dead-letters?count=50&code=code3']
  ],
  schedules: [['/schedule?count=50'], ['/digests?count=50']],
  tasks: [['/tasks?count=20']]
})

export async function dashboard({ rounds, rows, say }: Say): Promise<Measurement[]> {
  await using database = await testDb()
  const sql = postgres(database.url, {
    connection: { maintenance_work_mem: '512MB', synchronous_commit: 'off' },
    max: 1,
    onnotice: () => {}
  })
  try {
    await fillLog(sql, { envId: CLIENT, failing: 10_000, now: Date.now(), rows })
    const users = Math.round(rows * USER_SHARE)
    await fillUsers(sql, users)
    await fillQueues(sql)
    await sql`vacuum analyze`
    const [newest] = await sql<{ id: string }[]>`
      select id from sends where env_id = ${CLIENT} order by id desc offset 1000 limit 1`
    say(`${rows} sends, ${users} users, ${WAITING} rows that wait and as many dead letters`)
    // Nothing of what waits is due, so that the worker is idle.
    await using server = await serve(database.url)
    const measurements: Measurement[] = []
    for (const [screen, routes] of Object.entries(screensOf(newest!.id))) {
      for (const [path, init] of routes) {
        const times: number[] = []
        for (let round = 0; round <= rounds; round += 1) {
          const began = performance.now()
          const answer = await fetch(`${server.base}/${CLIENT}${path}`, {
            ...init,
            headers: { authorization: BACK_END, 'content-type': 'application/json' }
          })
          const text = await answer.text()
          if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text.slice(0, 300)}`)
          // The first one reads what is cached afterwards.
          if (round > 0) times.push(performance.now() - began)
        }
        const ours = percentile(times, 0.95)
        const shown = `${path.replace(newest!.id, '{trackingId}')}${init ? ` ${(init as { body: string }).body}` : ''}`
        say(`${screen}, ${shown}: ${ours.toFixed(1)} ms`)
        measurements.push({
          better: 'below',
          floor: FLOOR,
          goal: GOAL,
          name: `${screen}: ${shown}, p95 among ${rows.toLocaleString('en')} sends`,
          ours,
          promised: 'value',
          unit: 'ms'
        })
      }
    }
    return measurements
  } finally {
    await sql.end()
  }
}

// Schedules whose templates take long: the others of their batch do not wait, and their leases are renewed meanwhile.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { environmentSettings } from '../../../server/config/environment-settings.ts'
import { ensureEnvironment } from '../../../server/environments/environments.sql.ts'
import { claim } from '../../../server/queue/outbox.sql.ts'
import { openAcceptor } from '../../../server/send/accept/accept.ts'
import { parseSend } from '../../../server/send/parse-send.ts'
import { scheduleJob } from '../../../server/send/schedule/schedule-job.ts'
import { testDb } from '../../support/db.ts'
import { until } from '../../support/process.ts'
import { TEST_ENCRYPTION } from '../../support/test-encryption.ts'
import { PROVIDERS, testKit } from '../test-context.ts'

const ENV = 'env'
const RENEW_MS = 50
const ENDLESS =
  '{% for a in (1..1000) %}{% for b in (1..1000) %}{% for c in (1..1000) %}{% endfor %}{% endfor %}{% endfor %}'

test('a slow schedule is written after the others, and stays claimed until then', async () => {
  await using database = await testDb()
  const { db } = database
  await ensureEnvironment(db, TEST_ENCRYPTION, { id: ENV, origins: [], secret: 's', secureMode: undefined })
  const context = testKit(db, { NOTIF_RENDER_TIMEOUT_MS: '2000' })
  const acceptor = openAcceptor(context, PROVIDERS)
  const environment = { id: ENV, secret: 's', secrets: ['s'], settings: environmentSettings.parse({}) }
  const group = db.groups[0]!
  const schedule = new Date(Date.now() + 3_600_000).toISOString()
  for (const [id, title] of [
    ['slow', ENDLESS],
    ['quick', 'Hi']
  ] as const) {
    const body = { inapp: { title }, schedule, to: { id }, type: 't' }
    const parsed = parseSend(body, Date.now(), () => [])
    await acceptor.accept({ ...parsed, claim: undefined, environment })
  }
  await db.control`update outbox set run_at = now() - interval '1 second' where bucket is not null`
  const rows = await claim(group, { leaseMs: 10_000, limit: 10, minRunAt: new Date(0), queue: 'SCHEDULE' })
  assert.equal(rows.length, 2)

  const run = scheduleJob(context, PROVIDERS, undefined, RENEW_MS).run(rows, group)
  await until(async () => {
    const waiting = await db.control<{ id: string; isRenewed: boolean }[]>`
      select user_id as id, run_at > now() + interval '15 seconds' as "isRenewed" from outbox
      where queue = 'SCHEDULE' and bucket is not null`
    assert.ok(
      waiting.some(({ id }) => id === 'slow'),
      'the quick schedule waited for the slow one'
    )
    return waiting.length === 1 && waiting[0]!.isRenewed
  }, 'the quick one is written, and the lease of the slow one renewed')
  await run
  const sends = await db.control<{ id: string; decisions: object }[]>`
    select user_id as id, decisions from sends where bucket is not null order by user_id`
  assert.deepEqual(
    sends.map(({ decisions, id }) => [id, decisions]),
    [
      ['quick', { INAPP_WEB: 'sent' }],
      ['slow', { INAPP_WEB: 'render-failed' }]
    ]
  )
})

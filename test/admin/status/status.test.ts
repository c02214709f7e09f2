// The status of an environment: series by minute, what waits, why a queue does not send, dead letters, and what needs somebody.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { runDueTasks } from '../../../server/admin/housekeeping.ts'
import type { DeliveryHistory, EnvironmentStatus } from '../../../server/client/status.ts'
import { createLog } from '../../../server/core/log.ts'
import {
  asAdmin,
  asBackEnd,
  basic,
  CLIENT,
  OTHER,
  OTHER_SECRET,
  startApp,
  type TestApp
} from '../../security/app.ts'
import { keepLetter } from '../../security/requests.ts'
import { until } from '../../support/process.ts'

const read = async (app: TestApp, clientId = CLIENT, headers = asBackEnd): Promise<EnvironmentStatus> => {
  const answer = await app.ask(`/${clientId}/status`, { headers })
  assert.equal(answer.status, 200, answer.text)
  return answer.json as unknown as EnvironmentStatus
}

const send = async (app: TestApp, body: object): Promise<void> => {
  const sent = await app.ask(`/${CLIENT}/sender`, {
    body: JSON.stringify(body),
    headers: asBackEnd,
    method: 'POST'
  })
  assert.ok(sent.status < 300, sent.text)
}

const queueOf = ({ queues }: EnvironmentStatus, name: string) => queues.find(({ queue }) => queue === name)!

test('counts deliveries by minute before and after housekeeping adds them up, of its own environment only', async () => {
  await using app = await startApp()
  for (let i = 0; i < 3; i++) {
    await send(app, {
      email: { html: 'x', subject: 'x' },
      inapp: { title: 'x' },
      to: { email: 'a@example.com', id: 'a' },
      type: 'new_comment'
    })
  }
  await app.queues.idle('EMAIL')
  const before = await read(app)
  assert.deepEqual(before.lastHour, { discarded: 0, failed: 0, sent: 6 })
  assert.equal(before.minutes.length, 60)
  assert.equal(
    before.minutes.reduce((sum, { sent }) => sum + sent, 0),
    6
  )
  assert.equal(Date.parse(before.minutes[59]!.at) % 60_000, 0)
  assert.deepEqual(
    before.channels.map(({ channel, sent, total }) => [channel, total.sent, sent.length]),
    [
      ['EMAIL', 3, 60],
      ['INAPP_WEB', 3, 60]
    ]
  )
  assert.equal(before.usual, undefined)
  await runDueTasks({ config: { retentionDays: 90 }, db: app.db, log: createLog('silent') })
  const deltas = await app.db.control`select 1 from log_count_deltas`
  assert.equal(deltas.length, 0)
  assert.deepEqual((await read(app)).lastHour, before.lastHour)

  // Another environment has none of it, and its credentials do not read this one.
  const other = await read(app, OTHER, basic(`${OTHER}:${OTHER_SECRET}`))
  assert.deepEqual(other.lastHour, { discarded: 0, failed: 0, sent: 0 })
  assert.equal(
    (await app.ask(`/${CLIENT}/status`, { headers: basic(`${OTHER}:${OTHER_SECRET}`) })).status,
    401
  )
  assert.equal((await app.ask('/unknown/status', { headers: asAdmin })).status, 404)
})

test('counts a day and a week in longer steps', async () => {
  await using app = await startApp()
  await app.db.control`
    insert into log_minutes (bucket, env_id, minute, channel, sent, failed, discarded)
    select 0, env, date_trunc('minute', now()) - age, 'EMAIL', 12, 1, 2
    from unnest(array['20 hours', '6 days', '7 days 3 hours']::interval[]) age, unnest(array[${CLIENT}, ${OTHER}]) env`
  await send(app, { inapp: { title: 'x' }, to: { id: 'a' }, type: 'new_comment' })
  const history = async (span: string) => {
    const answer = await app.ask(`/${CLIENT}/status/history?span=${span}`, { headers: asBackEnd })
    assert.equal(answer.status, 200, answer.text)
    return answer.json as unknown as DeliveryHistory
  }
  const [day, week] = [await history('24h'), await history('7d')]
  assert.deepEqual(
    [day, week].map(({ channels, stepMinutes, steps, total }) => ({
      channels: channels.map(({ channel, sent, total }) => [channel, total.sent, sent.length]),
      stepMinutes,
      steps: steps.length,
      total
    })),
    [
      {
        channels: [
          ['EMAIL', 12, 48],
          ['INAPP_WEB', 1, 48]
        ],
        stepMinutes: 30,
        steps: 48,
        total: { discarded: 2, failed: 1, sent: 13 }
      },
      {
        channels: [
          ['EMAIL', 24, 84],
          ['INAPP_WEB', 1, 84]
        ],
        stepMinutes: 120,
        steps: 84,
        total: { discarded: 4, failed: 2, sent: 25 }
      }
    ]
  )
  for (const { stepMinutes, steps } of [day, week]) {
    assert.equal(Date.parse(steps[0]!.at) % (stepMinutes * 60_000), 0)
    assert.ok(Date.now() - Date.parse(steps.at(-1)!.at) <= stepMinutes * 60_000)
    assert.equal(steps.at(-1)!.sent, 1)
  }
  const wrong = await app.ask(`/${CLIENT}/status/history?span=1y`, { headers: asBackEnd })
  assert.equal(wrong.status, 422)
  assert.match(wrong.text, /span/)
})

test('compares with the same hour of the days before', async () => {
  await using app = await startApp()
  await app.db.control`
    insert into log_minutes (bucket, env_id, minute, channel, sent, failed, discarded)
    select 0, ${CLIENT}, date_trunc('minute', now()) - n * interval '1 day' - m * interval '1 minute', 'EMAIL', 12, 1, 0
    from generate_series(1, 2) n, generate_series(-60, 90) m`
  const { usual } = await read(app)
  assert.deepEqual(usual, { failedPerMinute: 1, sentPerMinute: 12 })
})

test('says what waits for this environment, and why the provider gets nothing', async () => {
  // Nothing listens at this port.
  await using app = await startApp({ NOTIF_SMTP_URL: 'smtp://user:password@127.0.0.1:1' })
  await send(app, {
    email: { html: 'x', subject: 'x' },
    to: { email: 'a@example.com', id: 'a' },
    type: 'new_comment'
  })
  await until(
    async () => queueOf(await read(app), 'EMAIL').state === 'provider-failing',
    'the fault is reported'
  )
  const status = await read(app)
  const email = queueOf(status, 'EMAIL')
  assert.equal(email.provider, '127.0.0.1')
  assert.deepEqual(email.waiting, { count: 1, isAtLeast: false })
  assert.ok(Date.parse(email.fault!.until) > Date.parse(email.fault!.since))
  assert.equal(queueOf(status, 'SMS').state, 'sandbox')
  assert.deepEqual(
    status.nodes.map(({ role }) => role),
    ['all']
  )
  assert.equal(status.database.state, 'ok')
  assert.ok(status.database.sizeBytes! > 1_000_000)
  await until(
    async () => (await read(app)).attention.some(one => one.kind === 'email'),
    'the probe is reported'
  )

  await app.ask('/queues/EMAIL/pause', { body: '{}', headers: asAdmin, method: 'POST' })
  const paused = queueOf(await read(app), 'EMAIL')
  assert.equal(paused.state, 'paused')
  assert.match(paused.paused!.by, /^admin:/)
  const other = await read(app, OTHER, basic(`${OTHER}:${OTHER_SECRET}`))
  assert.deepEqual(queueOf(other, 'EMAIL').waiting, { count: 0, isAtLeast: false })
})

test('lists what needs somebody: dead letters, messages without a template, keys and secrets that end', async () => {
  await using app = await startApp()
  const { status } = await app.ask(`/${CLIENT}/notifications/news`, {
    body: JSON.stringify({ channels: ['SMS'], title: 'News' }),
    headers: asBackEnd,
    method: 'PUT'
  })
  assert.ok(status < 300)
  await send(app, { parameters: {}, to: { id: 'a', number: '+15005550006' }, type: 'news' })
  await keepLetter(app)
  const key = await app.ask(`/environments/${CLIENT}/keys`, {
    body: JSON.stringify({ expiresInDays: 3, name: 'nightly', scopes: ['send'] }),
    headers: asAdmin,
    method: 'POST'
  })
  assert.equal(key.status, 201, key.text)
  await app.ask(`/environments/${OTHER}/secret`, { body: '{}', headers: asAdmin, method: 'POST' })
  await runDueTasks({ config: { retentionDays: 90 }, db: app.db, log: createLog('silent') })

  const { attention, deadLetters } = await read(app)
  assert.equal(deadLetters.count, 1)
  assert.deepEqual(
    attention.map(({ kind }) => kind),
    ['dead-letters', 'cannot-send', 'key-expires']
  )
  const missing = attention.find(one => one.kind === 'cannot-send')!
  assert.deepEqual(missing, {
    kind: 'cannot-send',
    channel: 'SMS',
    count: 1,
    decision: 'no-template',
    title: 'News',
    type: 'news'
  })
  // The template was written.
  await app.ask(`/${CLIENT}/notifications/news/templates/sms`, {
    body: JSON.stringify({ message: 'x' }),
    headers: asBackEnd,
    method: 'PUT'
  })
  assert.ok((await read(app)).attention.every(({ kind }) => kind !== 'cannot-send'))
  const { attention: others } = await read(app, OTHER, asAdmin)
  assert.deepEqual(
    others.map(({ kind }) => kind),
    ['secret-ends']
  )
})

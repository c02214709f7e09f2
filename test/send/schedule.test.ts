// Schedules: they wait in the outbox and are planned again when their time comes.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'

import type { Channel } from '#protocol'

import { environmentSettings } from '../../server/config/environment-settings.ts'
import { bucketOf } from '../../server/core/id.ts'
import type { Db } from '../../server/db/db.ts'
import { ensureEnvironment } from '../../server/environments/environments.sql.ts'
import { openQueues } from '../../server/queue/open-queues.ts'
import { claim } from '../../server/queue/outbox.sql.ts'
import { openAcceptor } from '../../server/send/accept/accept.ts'
import { parseSend } from '../../server/send/parse-send.ts'
import type { SendModuleLimits } from '../../server/send/send-module.ts'
import { openSendModule, type SendModule } from '../../server/send/send-module.ts'
import { passTime, RECORDS } from '../queue/test-queue.ts'
import { testDb } from '../support/db.ts'
import { TEST_ENCRYPTION } from '../support/test-encryption.ts'
import { PROVIDERS, testKit, type TestKit } from './test-context.ts'

const ENV = 'env'

interface Scheduling {
  readonly context: TestKit
  readonly sender: SendModule
  /** Milliseconds from now. */
  later(body: object, ms?: number): Promise<{ status: number; trackingId: string; messages: string[] }>
  /** Lets the time of all schedules come and runs the queue until it is empty. @returns rows of each run */
  run(): Promise<number[]>
}

async function scheduling(db: Db, limits: SendModuleLimits = {}, providers = PROVIDERS): Promise<Scheduling> {
  await ensureEnvironment(db, TEST_ENCRYPTION, { id: ENV, origins: [], secret: 's', secureMode: undefined })
  const context = testKit(db)
  const sender = openSendModule(context, providers, limits)
  const acceptor = openAcceptor(context, providers)
  const environment = { id: ENV, secret: 's', secrets: ['s'], settings: environmentSettings.parse({}) }
  return {
    context,
    async later(body, ms = 3_600_000) {
      const schedule = new Date(Date.now() + ms).toISOString()
      const read = parseSend({ schedule, ...body }, Date.now(), () => [])
      const answer = await acceptor.accept({ ...read, claim: undefined, environment })
      return { status: answer.status, ...(answer.body as { trackingId: string; messages: string[] }) }
    },
    async run() {
      await passTime(db, 7200)
      const queues = openQueues(db, { ...RECORDS, clock: Date.now, log: context.log })
      const { schedule } = sender
      const runs: number[] = []
      queues.add({
        ...schedule,
        run(rows, group) {
          runs.push(rows.length)
          return schedule.run(rows, group)
        }
      })
      queues.start()
      await queues.idle('SCHEDULE')
      await queues.stop(1000)
      return runs
    },
    sender
  }
}

const BOTH = {
  email: { html: '<p>x</p>', subject: 'S' },
  inapp: { title: 'Hi' },
  to: { email: 'a@b.example', id: 'u1' },
  type: 't'
}

test('a schedule waits and is sent under its tracking id', async () => {
  await using t = await testDb()
  const s = await scheduling(t.db)
  const { messages, status, trackingId } = await s.later(BOTH)
  assert.deepEqual([status, messages], [200, []])
  assert.deepEqual([...s.context.woken], ['SCHEDULE'])
  const [waiting] = await t.db.control`select *, extract(epoch from run_at - now())::int as wait from outbox`
  assert.deepEqual(
    [waiting!['queue'], waiting!['id'], waiting!['send_id']],
    ['SCHEDULE', trackingId, trackingId]
  )
  assert.ok(Math.abs(waiting!['wait'] - 3600) < 30)
  const [logged] = await t.db.control`select decisions from sends`
  assert.deepEqual(logged!['decisions'], { EMAIL: 'scheduled', INAPP_WEB: 'scheduled' })
  assert.equal(s.context.events.length, 0)

  await s.run()
  const [item] = await t.db.control`select * from inbox_items`
  assert.deepEqual([item!['id'], item!['content']], [trackingId, { title: 'Hi' }])
  const rows = await t.db.control`select * from outbox`
  assert.deepEqual(
    rows.map(row => [row['queue'], row['send_id'], row['body'].to]),
    [['EMAIL', trackingId, 'a@b.example']]
  )
  // The log may have deleted the send by then, so the row of the email carries it.
  assert.equal(rows[0]!['body'].send.email.subject, 'S')
  const [after] = await t.db.control`select decisions from sends`
  assert.deepEqual(after!['decisions'], { EMAIL: 'sent', INAPP_WEB: 'sent' })
  assert.deepEqual(
    s.context.events.flatMap(event => event.change.items.map(each => each.id)),
    [trackingId]
  )
  assert.ok(s.context.woken.has('EMAIL'))
})

test('large schedules are planned a few at a time, and only the email carries the attachments', async () => {
  await using t = await testDb()
  const s = await scheduling(t.db, { scheduleBytes: 100_000 }, new Set<Channel>(['EMAIL', 'SMS']))
  const sized = (bytes: number, n: number) => ({
    ...BOTH,
    options: {
      email: {
        attachments: [{ content: randomBytes(bytes).toString('base64'), filename: 'a.pdf' }],
        fromName: 'A'
      }
    },
    sms: { message: 'Hi' },
    to: { ...BOTH.to, id: `u${n}`, number: '+15005550006' }
  })
  for (const [n, bytes] of [30_000, 30_000, 30_000, 300_000, 10, 10].entries()) {
    await s.later(sized(bytes, n), 3_600_000 + n)
  }
  assert.deepEqual(await s.run(), [2, 1, 1, 2])
  const rows = await t.db.control`select queue, body -> 'send' -> 'options' -> 'email' as email from outbox`
  const byQueue = Object.groupBy(rows, row => row['queue'] as string)
  assert.deepEqual([byQueue['EMAIL']?.length, byQueue['SMS']?.length], [6, 6])
  assert.ok(byQueue['EMAIL']!.every(row => row['email'].attachments.length === 1))
  for (const row of byQueue['SMS']!) assert.deepEqual(row['email'], { fromName: 'A' })
})

test('a schedule in the past is sent now', async () => {
  await using t = await testDb()
  const s = await scheduling(t.db)
  await s.later(BOTH, -1000)
  assert.deepEqual(
    (await t.db.control`select queue from outbox`).map(row => row['queue']),
    ['EMAIL']
  )
})

test('applies preferences that change before the time of the schedule', async () => {
  await using t = await testDb()
  const s = await scheduling(t.db)
  await s.later(BOTH)
  await s.later({ ...BOTH, type: 'other' }, 86_400_000)
  await t.db.control`
    insert into preferences (bucket, env_id, user_id, key, notification_id, channel, delivery)
    values (${bucketOf(ENV, 'u1')}, ${ENV}, 'u1', 'x', 't', 'EMAIL', 'off')`
  await s.run()
  const [send] = await t.db.control`select decisions, warnings from sends where notification_id = 't'`
  assert.deepEqual(send!['decisions'], { EMAIL: 'preference-off', INAPP_WEB: 'sent' })
  assert.match(send!['warnings'].join(), /EMAIL was discarded/)
  const [other] = await t.db.control`select decisions from sends where notification_id = 'other'`
  assert.deepEqual(other!['decisions'], { EMAIL: 'scheduled', INAPP_WEB: 'scheduled' })
  const left = await t.db.control`select body ->> 'notificationId' as type from outbox`
  assert.deepEqual(
    left.map(row => row['type']),
    ['other']
  )
})

test('the answer names channels that would be discarded as of now', async () => {
  await using t = await testDb()
  const s = await scheduling(t.db)
  const attachments = [{ filename: 'a.pdf', url: 'https://files.example.com/a.pdf' }]
  const options = { email: { attachments } }
  const { messages, status } = await s.later({ ...BOTH, options, to: { id: 'u1' } })
  assert.equal(status, 202)
  assert.deepEqual(
    (await t.db.control`select queue from outbox`).map(row => row['queue']),
    ['SCHEDULE'],
    'no file is fetched for it'
  )
  assert.match(messages.join(), /EMAIL was discarded: the user has no email address/)
})

test('the log says if the type was deleted before the time of the schedule', async () => {
  await using t = await testDb()
  const s = await scheduling(t.db)
  await t.db
    .control`insert into notifications (env_id, id, title, channels) values (${ENV}, 't', 't', ${['INAPP_WEB']})`
  await t.db.control`
    insert into templates (env_id, notification_id, channel, content)
    values (${ENV}, 't', 'INAPP_WEB', ${t.db.control.json({ title: 'x' })})`
  await s.later({ to: { id: 'u1' }, type: 't' })
  await t.db.control`delete from notifications`
  s.context.types.forget(ENV)
  await s.run()
  const [send] = await t.db.control`select warnings from sends`
  assert.match(send!['warnings'].join(), /The notification type "t" does not exist/)
  assert.equal((await t.db.control`select 1 from outbox`).length, 0)
})

test('a schedule is sent even if the log has deleted its row', async () => {
  await using t = await testDb()
  const s = await scheduling(t.db)
  const { trackingId } = await s.later(BOTH)
  await t.db.control`delete from sends`
  await s.run()
  assert.deepEqual(
    (await t.db.control`select id from inbox_items`).map(row => row['id']),
    [trackingId]
  )
})

test('sends each of many due schedules once, although two workers claimed the same rows', async () => {
  await using t = await testDb()
  const s = await scheduling(t.db)
  await Promise.all(
    Array.from({ length: 150 }, (_, i) =>
      s.later({ inapp: { title: 'x' }, to: { id: `u${i % 7}` }, type: 't' })
    )
  )
  const [group] = t.db.groups
  // A worker that claimed the rows and lost its lease.
  await t.db.control`update outbox set run_at = now() - interval '1 hour'`
  const stale = await claim(group!, { queue: 'SCHEDULE', leaseMs: 1, limit: 150, minRunAt: new Date(0) })
  assert.equal(stale.length, 150)
  await s.run()
  await s.sender.schedule.run(stale, group!)
  const [row] = await t.db.control`
    select (select count(*)::int from inbox_items) as items, (select sum(unopened)::int from inbox_counters) as unopened,
      (select count(*)::int from outbox) as waiting`
  assert.deepEqual({ ...row }, { items: 150, unopened: 150, waiting: 0 })
})

test('a row that cannot be written does not affect other rows of its batch', async () => {
  await using t = await testDb()
  const s = await scheduling(t.db)
  for (let i = 0; i < 5; i++) await s.later({ inapp: { title: `x${i}` }, to: { id: 'u1' }, type: 't' })
  await t.db.control`
    update outbox set body = jsonb_set(body, '{send,to}', '{"id": null}')
    where id = (select id from outbox order by id limit 1)`
  await s.run()
  const [row] = await t.db.control`
    select (select count(*)::int from inbox_items) as items, (select count(*)::int from outbox) as waiting`
  assert.deepEqual({ ...row }, { items: 4, waiting: 1 })
})

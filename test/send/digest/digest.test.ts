// Digests: accepted items wait for one digest row and become one delivery, each item once.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { claim } from '../../../server/queue/outbox.sql.ts'
import { digests, MAIL } from './digest-server.ts'

const numbered = (n: number, more: object = {}) => ({ ...MAIL, parameters: { n }, ...more })

test('a send waits for the digest in the time zone of the user, and the answer says so', async () => {
  await using d = await digests()
  await d.want('daily')
  const { messages, status, trackingId } = await d.send(
    numbered(1, { to: { email: 'a@b.example', id: 'u1', timezone: 'Asia/Kathmandu' } })
  )
  const [head] = await d.heads()
  assert.equal(head!.until.getTime(), head!.runAt.getTime())
  assert.match(head!.until.toISOString(), /T03:15:00.000Z$/)
  assert.ok(head!.until.getTime() > Date.now() && head!.until.getTime() <= Date.now() + 86_400_000)
  assert.deepEqual(
    [status, messages],
    [
      200,
      [`EMAIL waits for a digest: the user receives it daily and gets it at ${head!.until.toISOString()}.`]
    ]
  )
  assert.deepEqual((await d.logged(trackingId))?.decisions, { EMAIL: 'digest' })
  assert.deepEqual(await d.deliveries(), [])
  await d.run()
  assert.equal((await d.items()).length, 1)
})

test('a digest has the items of a type and its sub-notifications, each once', async () => {
  await using d = await digests()
  await d.want('hourly')
  const sent = []
  for (let n = 1; n <= 3; n++) sent.push(await d.send(numbered(n, n === 2 ? { subNotificationId: 's' } : {})))
  assert.equal((await d.heads()).length, 1)
  await d.comes()
  const [delivery, ...more] = await d.deliveries()
  assert.equal(more.length, 0)
  const leader = sent[2]!.trackingId
  assert.deepEqual([delivery!.queue, delivery!.sendId, delivery!.body.to], ['EMAIL', leader, 'a@b.example'])
  const { parameters } = delivery!.body['send'] as { parameters: object }
  assert.deepEqual(parameters, { _items: [{ n: 1 }, { n: 2 }, { n: 3 }], n: 3 })
  for (const { trackingId } of sent) {
    const logged = await d.logged(trackingId)
    assert.deepEqual([logged!.decisions, logged!.digests], [{ EMAIL: 'digested' }, { EMAIL: leader }])
  }
  assert.deepEqual([await d.items(), await d.heads()], [[], []])
  assert.ok(d.context.woken.has('EMAIL'))
  // Without items nothing is sent.
  await d.comes()
  assert.equal((await d.deliveries()).length, 1)
})

test('concurrent sends on two nodes wait for one digest row', async () => {
  await using d = await digests()
  await d.want('daily')
  const sent = await Promise.all(Array.from({ length: 60 }, (_, n) => d.send(numbered(n))))
  assert.ok(sent.every(({ status }) => status === 200))
  assert.deepEqual([(await d.heads()).length, (await d.items()).length], [1, 60])
})

test('each channel, period and user has a digest of its own', async () => {
  await using d = await digests()
  await d.want('daily', { channel: 'EMAIL' })
  await d.want('weekly', { channel: 'SMS' })
  await d.want('daily', { user: 'u2' })
  const both = { ...MAIL, inapp: { title: 'x' }, sms: { message: 'S' } }
  await d.send({ ...both, to: { email: 'a@b.example', id: 'u1', number: '+12025550123' } })
  await d.send({ ...MAIL, to: { email: 'c@d.example', id: 'u2' } })
  assert.deepEqual((await d.heads()).map(({ period }) => period).sort(), ['daily', 'daily', 'weekly'])
  // The inbox has no digests.
  assert.equal((await d.db.control`select 1 from inbox_items`).length, 1)
  await d.comes()
  assert.deepEqual((await d.deliveries()).map(({ body, queue }) => [queue, body.to]).sort(), [
    ['EMAIL', 'a@b.example'],
    ['EMAIL', 'c@d.example'],
    ['SMS', '+12025550123']
  ])
})

test('a schedule joins the digest at its time', async () => {
  await using d = await digests()
  await d.want('daily')
  await d.send(numbered(1, { schedule: new Date(Date.now() + 60_000).toISOString() }))
  assert.equal((await d.items()).length, 0)
  const [group] = d.db.groups
  await d.db.control`update outbox set run_at = now()`
  const rows = await claim(group!, { queue: 'SCHEDULE', leaseMs: 1000, limit: 5, minRunAt: new Date(0) })
  await d.sender.schedule.run(rows, group!)
  assert.equal((await d.items()).length, 1)
  assert.equal((await d.heads()).length, 1)
})

test('a throttled send is not in a digest', async () => {
  await using d = await digests()
  await d.db.control`
    insert into notifications (env_id, id, title, channels, settings)
    values ('env', 't', 't', '{EMAIL}', ${d.db.control.json({ throttling: { forever: true, max: 2 } })})`
  await d.want('daily')
  const answers = await Promise.all([1, 2, 3, 4].map(n => d.send(numbered(n))))
  assert.equal(answers.filter(({ status }) => status === 202).length, 2)
  assert.equal((await d.items()).length, 2)
})

test('items beyond the limit go into further digests, each once', async () => {
  await using d = await digests({ items: 4 })
  await d.want('daily')
  await Promise.all(Array.from({ length: 10 }, (_, n) => d.send(numbered(n))))
  await d.comes()
  const found = (await d.deliveries()).map(
    ({ body }) => (body['send'] as { parameters: { _items: { n: number }[] } }).parameters._items
  )
  assert.deepEqual(
    found.map(items => items.length),
    [4, 4, 2]
  )
  assert.deepEqual(
    found
      .flat()
      .map(({ n }) => n)
      .sort(),
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
  )
  assert.deepEqual([await d.items(), await d.heads()], [[], []])
})

test('a further digest is due now, above the scan floor', async () => {
  await using d = await digests({ items: 1 })
  await d.want('daily')
  for (const n of [1, 2]) await d.send(numbered(n))
  await d.db
    .control`update outbox set run_at = now(), body = jsonb_set(body, '{dueAt}', '0') where queue = 'DIGEST'`
  const [group] = d.db.groups
  const rows = await claim(group!, { queue: 'DIGEST', leaseMs: 1000, limit: 5, minRunAt: new Date(0) })
  await d.sender.digest.run(rows, group!)
  const [head, ...more] = await d.heads()
  assert.equal(more.length, 0)
  // A worker skips rows that are due below its scan floor.
  assert.ok(head!.runAt >= rows[0]!.dueAt, head!.runAt.toISOString())
})

test('an item larger than the limit has a digest of its own', async () => {
  await using d = await digests({ bytes: 1000 })
  await d.want('daily')
  for (const n of [1, 2]) await d.send({ ...MAIL, parameters: { n, text: 'x'.repeat(5000) } })
  await d.comes()
  assert.equal((await d.deliveries()).length, 2)
  assert.deepEqual([await d.items(), await d.heads()], [[], []])
})

test('a worker that lost its digest row builds nothing', async () => {
  await using d = await digests()
  await d.want('daily')
  await d.send(numbered(1))
  const [group] = d.db.groups
  await d.db
    .control`update outbox set run_at = now() - interval '1 hour', body = jsonb_set(body, '{dueAt}', '0')`
  const first = await claim(group!, { queue: 'DIGEST', leaseMs: 1, limit: 5, minRunAt: new Date(0) })
  await d.db.control`update outbox set run_at = now() - interval '1 minute'`
  const second = await claim(group!, { queue: 'DIGEST', leaseMs: 60_000, limit: 5, minRunAt: new Date(0) })
  assert.deepEqual([first.length, second.length], [1, 1])
  await Promise.all([d.sender.digest.run(first, group!), d.sender.digest.run(second, group!)])
  await d.sender.digest.run(first, group!)
  await d.sender.digest.run(second, group!)
  assert.equal((await d.deliveries()).length, 1)
})

test('uses the address that is stored when the digest is due, and logs a missing one', async () => {
  await using d = await digests()
  await d.want('daily')
  await d.db.control`update users set email = 'old@b.example' where id = 'u1'`
  const { trackingId } = await d.send(numbered(1, { to: { id: 'u1' } }))
  await d.db.control`update users set email = 'new@b.example' where id = 'u1'`
  await d.comes()
  assert.deepEqual(
    (await d.deliveries()).map(({ body }) => body.to),
    ['new@b.example']
  )
  const second = await d.send(numbered(2, { to: { id: 'u1' } }))
  await d.db.control`update users set email = null where id = 'u1'`
  await d.comes()
  assert.equal((await d.deliveries()).length, 1)
  assert.deepEqual((await d.logged(second.trackingId))!.decisions, { EMAIL: 'no-address' })
  assert.deepEqual((await d.logged(trackingId))!.decisions, { EMAIL: 'digested' })
  // Of the addresses of the sends, the newest.
  for (const email of ['third@b.example', 'fourth@b.example']) {
    await d.send(numbered(3, { to: { email, id: 'u1' } }))
  }
  await d.comes()
  assert.equal((await d.deliveries()).at(-1)!.body.to, 'fourth@b.example')
})

test('the log has the digests of all channels of a send', async () => {
  await using d = await digests()
  await d.want('daily', { channel: 'EMAIL' })
  await d.want('weekly', { channel: 'SMS' })
  const to = { ...MAIL.to, number: '+12025550123' }
  const { trackingId } = await d.send({ ...MAIL, inapp: { title: 'x' }, sms: { message: 'x' }, to, x: 1 })
  await d.db.control`
    update outbox set run_at = now(), body = jsonb_set(body, '{dueAt}', '0')
    where queue = 'DIGEST' and body ->> 'channel' = 'EMAIL'`
  await d.run()
  await d.comes()
  const { decisions, digests: leaders, warnings } = (await d.logged(trackingId))!
  assert.deepEqual(decisions, { EMAIL: 'digested', INAPP_WEB: 'sent', SMS: 'digested' })
  assert.deepEqual(leaders, { EMAIL: trackingId, SMS: trackingId })
  assert.match(warnings.join(), /#\/x: unknown field/)
})

test('does not send a digest to an address that bounced since', async () => {
  await using d = await digests()
  await d.want('daily')
  await d.db.control`update users set email = 'Old@b.example' where id = 'u1'`
  const { trackingId } = await d.send(numbered(1, { to: { id: 'u1' } }))
  await d.db.control`
    update users set email_bounce = '{"address": "old@b.example", "at": "2026-11-20T10:00:00.000Z", "code": "5.1.1"}'
    where id = 'u1'`
  await d.comes()
  assert.deepEqual(await d.deliveries(), [])
  const { decisions, warnings } = (await d.logged(trackingId))!
  assert.deepEqual(decisions, { EMAIL: 'address-bounced' })
  assert.match(String(warnings.at(-1)), /bounced on 2026-11-20 \(5\.1\.1\)/)
})

test('every device gets the digest, and the email has the attachments', async () => {
  await using d = await digests()
  await d.want('daily')
  await d.db.control`
    insert into devices (bucket, env_id, user_id, kind, token_hash, token)
    select bucket, env_id, id, kind, kind::bytea, to_jsonb(kind) from users, unnest('{apn,fcm}'::text[]) as kind`
  const file = (filename: string) => ({ attachments: [{ content: 'eA==', filename }] })
  const push = { mobile_push: { message: 'M', title: 'T' } }
  await d.send(numbered(1, { ...push, options: { email: file('a.txt') } }))
  await d.send(numbered(2, { ...push, options: { email: file('b.txt') } }))
  await d.comes()
  const deliveries = await d.deliveries()
  assert.deepEqual(deliveries.map(({ queue }) => queue).sort(), ['APN', 'EMAIL', 'FCM'])
  const mail = deliveries.find(({ queue }) => queue === 'EMAIL')!.body['send'] as {
    options: { email: { attachments: { filename: string }[] } }
  }
  assert.deepEqual(
    mail.options.email.attachments.map(({ filename }) => filename),
    ['a.txt', 'b.txt']
  )
})

// Changes of frequency and time zone apply to pending items: they are sent, dropped or moved.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { bucketOf } from '../../../server/core/id.ts'
import { MAX_ATTEMPTS } from '../../../server/queue/backoff.ts'
import { identifyUser } from '../../../server/users/identify.sql.ts'
import { identity } from '../../../server/users/schema.ts'
import { digests, ENV, MAIL, type Digests } from './digest-server.ts'

const numbered = (n: number, more: object = {}) => ({ ...MAIL, parameters: { n }, ...more })

const isIn = (d: Digests, timezone: string | null) =>
  d.db.control.begin(tx =>
    identifyUser(
      tx,
      { bucket: bucketOf(ENV, 'u1'), envId: ENV, userId: 'u1' },
      identity.parse({ timezone }),
      { limits: { devices: 200, properties: 25 } }
    )
  )

test('sends pending items at once if the user changes to instant', async () => {
  await using d = await digests()
  await d.want('weekly')
  await d.send(numbered(1))
  await d.send(numbered(2))
  await d.db.control`update outbox set attempts_left = 1`
  await d.want('instant')
  const [head] = await d.db.control`select attempts_left from outbox`
  assert.equal(head!['attempts_left'], MAX_ATTEMPTS, 'what was changed is tried anew')
  await d.run()
  const [delivery, ...more] = await d.deliveries()
  assert.equal(more.length, 0)
  const { parameters } = delivery!.body['send'] as { parameters: { _items: object[] } }
  assert.deepEqual(parameters._items, [{ n: 1 }, { n: 2 }])
  assert.deepEqual([await d.items(), await d.heads()], [[], []])
})

test('drops pending items if the user changes to off, and logs it', async () => {
  await using d = await digests()
  await d.want('daily')
  const { trackingId } = await d.send(numbered(1))
  await d.want('off')
  await d.run()
  assert.deepEqual([await d.items(), await d.heads(), await d.deliveries()], [[], [], []])
  const logged = await d.logged(trackingId)
  assert.deepEqual(logged!.decisions, { EMAIL: 'preference-off' })
  assert.match(logged!.warnings.join(), /EMAIL was discarded: the user has switched this channel off/)
})

test('moves pending items to the digest of the new period', async () => {
  await using d = await digests()
  await d.want('daily', { sub: 's' })
  await d.want('monthly')
  await d.send(numbered(1, { subNotificationId: 's' }))
  await d.send(numbered(2))
  assert.equal((await d.heads()).length, 2)
  await d.want('monthly', { sub: 's' })
  await d.run()
  const [head, ...more] = await d.heads()
  assert.deepEqual([head!.period, more.length], ['monthly', 0])
  assert.equal(head!.until.getTime(), head!.runAt.getTime())
  assert.equal(new Set((await d.items()).map(({ key }) => key)).size, 1)
  await d.comes()
  const [delivery] = await d.deliveries()
  const { parameters } = delivery!.body['send'] as { parameters: { _items: object[] } }
  assert.deepEqual(parameters._items, [{ n: 1 }, { n: 2 }])
})

test('drops only the items of a sub-notification that is switched off', async () => {
  await using d = await digests()
  await d.want('daily')
  await d.send(numbered(1, { subNotificationId: 's' }))
  await d.send(numbered(2))
  const [before] = await d.heads()
  await d.want('off', { sub: 's' })
  await d.run()
  assert.equal((await d.items()).length, 1)
  assert.deepEqual(await d.heads(), [before])
})

test('decides for each sub-notification of a digest separately', async () => {
  await using d = await digests()
  await d.want('daily')
  for (const sub of ['a', 'b']) await d.send(numbered(1, { subNotificationId: sub }))
  await d.want('weekly', { sub: 'a' })
  await d.want('hourly', { sub: 'b' })
  await d.run()
  const found = await d.db.control<{ sub: string; period: string }[]>`
    select i.sub_id as sub, o.body ->> 'period' as period from digest_items i join outbox o using (bucket, key) order by 1`
  assert.deepEqual(
    found.map(({ period, sub }) => [sub, period]),
    [
      ['a', 'weekly'],
      ['b', 'hourly']
    ]
  )
  assert.equal((await d.heads()).length, 2)
})

test('moves the time if the time zone changes, unless the send has a zone of its own', async () => {
  await using d = await digests()
  await d.want('daily')
  await isIn(d, 'Asia/Kathmandu')
  await d.send(numbered(1))
  const hours = async () => (await d.heads()).map(({ runAt }) => runAt.toISOString().slice(11, 16))
  assert.deepEqual(await hours(), ['03:15'])
  await isIn(d, 'Asia/Kathmandu')
  assert.deepEqual(await hours(), ['03:15'])
  await isIn(d, 'Asia/Tokyo')
  await d.run()
  assert.deepEqual(await hours(), ['00:00'])
  await isIn(d, null)
  await d.run()
  assert.deepEqual(await hours(), ['09:00'])
  await d.send(numbered(2, { to: { email: 'a@b.example', id: 'u1', timezone: 'Asia/Kolkata' } }))
  await isIn(d, 'Asia/Tokyo')
  await d.run()
  assert.deepEqual(await hours(), ['03:30'])
  assert.deepEqual([(await d.items()).length, await d.deliveries()], [2, []])
})

test('a change does not delay a digest that is due', async () => {
  await using d = await digests()
  await d.want('daily')
  await d.send(numbered(1))
  await d.db.control`update outbox set body = jsonb_set(body, '{dueAt}', '0')`
  await d.want('weekly')
  await d.run()
  assert.equal((await d.deliveries()).length, 1)
})

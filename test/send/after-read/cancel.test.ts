// Reading a notification cancels what waits for it in other channels: items of digests, and delays without a condition.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { transact } from '../../../server/db/transact.ts'
import { patchItems } from '../../../server/inbox/patch-items.sql.ts'
import { createAfterRead } from '../../../server/send/after-read/after-read.ts'
import { changePreferences } from '../../../server/users/preferences/preferences.sql.ts'
import { userKey } from '../../inbox/test-items.ts'
import { BOTH, ENV, escalations, UNLESS_READ, type Escalations } from '../escalation/escalation-server.ts'
import { holds } from '../hold/hold-server.ts'

const NOW = new Date().toISOString()
const USER = userKey('u1', ENV)

const patch = (e: Escalations, marks: object) =>
  transact(e.db.of(USER.bucket), tx =>
    patchItems(tx, USER, { trackingIds: 'ALL', ...marks }, undefined, createAfterRead(e.db))
  )

const wantDaily = (e: Escalations) => {
  const choice = { channel: 'EMAIL', delivery: 'daily', notificationId: 't', subNotificationId: '' } as const
  return transact(e.db.of(USER.bucket), tx =>
    changePreferences(tx, USER, { choices: [choice], kind: 'merge' })
  )
}

const keep = (e: Escalations) =>
  e.db.control`update notifications set settings = settings || '{"cancelOnRead": false}' where id = 't'`

const waiting = async (e: Escalations): Promise<number> => {
  const [row] = await e.db.control<{ count: number }[]>`
    select ((select count(*) from digest_items) + (select count(*) from outbox where queue = 'ESCALATE'))::int as count`
  return row!.count
}

const mark = (e: Escalations, trackingId: string, marks: object) =>
  transact(e.db.of(USER.bucket), tx =>
    patchItems(tx, USER, { trackingIds: [trackingId], ...marks }, undefined, createAfterRead(e.db))
  )

for (const marks of [{ opened: NOW }, { clicked: NOW }, { archived: NOW }, { actioned1: NOW }]) {
  const name = Object.keys(marks)[0]
  test(`${name} takes the item out of its digest, and no other`, async () => {
    await using e = await escalations()
    await wantDaily(e)
    const read = await e.send()
    const unread = await e.send()
    await mark(e, read.trackingId, { seen: NOW })
    assert.equal(await waiting(e), 2)
    await mark(e, read.trackingId, marks)
    const items = await e.db.control<{ id: string }[]>`select id from digest_items`
    assert.deepEqual(
      items.map(({ id }) => id),
      [unread.trackingId]
    )
    const { decisions, details } = await e.logged(read.trackingId)
    assert.equal(decisions['EMAIL'], 'cancelled')
    assert.match(details!['EMAIL']!, /^read at .+Z$/)
    assert.equal((await e.logged(unread.trackingId)).decisions['EMAIL'], 'digest')
  })
}

test('a plain delay is cancelled, one with a condition waits for its end', async () => {
  await using e = await escalations({ after: '10m', channel: 'EMAIL' }, { ...UNLESS_READ, channel: 'SMS' })
  const body = { email: { html: 'x', subject: 'x' }, inapp: { title: 'x' }, sms: { message: 'x' } }
  const to = { email: 'a@b.example', id: 'u1', number: '+16175551212' }
  const { trackingId } = await e.send({
    ...body,
    forceChannels: ['INAPP_WEB', 'EMAIL', 'SMS'],
    to,
    type: 't'
  })
  assert.equal(await waiting(e), 2)
  await patch(e, { opened: NOW })
  const { decisions } = await e.logged(trackingId)
  assert.deepEqual(decisions, { EMAIL: 'cancelled', INAPP_WEB: 'sent', SMS: 'delayed' })
  await e.end()
  assert.equal((await e.logged(trackingId)).decisions['SMS'], 'cancelled')
})

test('a type with cancelOnRead: false keeps both', async () => {
  await using e = await escalations({ after: '10m', channel: 'EMAIL' })
  await keep(e)
  await e.send()
  await patch(e, { opened: NOW })
  assert.equal(await waiting(e), 1)
  await using d = await escalations()
  await keep(d)
  await wantDaily(d)
  await d.send()
  await patch(d, { archived: NOW })
  assert.equal(await waiting(d), 1)
})

test('a held email of the read notification is cancelled, and no other', async () => {
  await using h = await holds()
  await h.patch({ pause: { isOn: true } })
  const [read, unread] = [await h.send(), await h.send()]
  await mark(h, read.trackingId, { seen: NOW })
  assert.equal((await h.rows()).length, 2)
  await mark(h, read.trackingId, { opened: NOW })
  assert.deepEqual(
    (await h.rows()).map(({ queue, send_id: id }) => [queue, id]),
    [['HELD', unread.trackingId]]
  )
  const { decisions, details } = await h.logged(read.trackingId)
  assert.equal(decisions['EMAIL'], 'cancelled')
  assert.match(details!['EMAIL']!, /^read at .+Z$/)
  assert.equal((await h.logged(unread.trackingId)).decisions['EMAIL'], 'held')
  await keep(h)
  await mark(h, unread.trackingId, { archived: NOW })
  assert.equal((await h.rows()).length, 1, 'a type that keeps it')
})

test('a held digest with the read notification is kept, because it has others', async () => {
  await using h = await holds()
  await h.patch({ pause: { isOn: true } })
  const { trackingId } = await h.send()
  await h.db.control`
    update outbox set body = body || ${h.db.control.json({ sends: [trackingId] })} where queue = 'HELD'`
  await mark(h, trackingId, { opened: NOW })
  assert.equal((await h.rows()).length, 1)
})

test('a held email that still fetches its files is cancelled, one that is sent at once is not', async () => {
  await using h = await holds()
  const attachments = [{ filename: 'a.txt', url: 'https://example.com/a.txt' }]
  const body = { ...BOTH, options: { email: { attachments } } }
  const leaving = await h.send(body)
  await h.patch({ pause: { isOn: true } })
  const held = await h.send(body)
  assert.deepEqual(
    (await h.rows()).map(({ queue }) => queue),
    ['FETCH', 'FETCH']
  )
  await patch(h, { opened: NOW })
  assert.deepEqual(
    (await h.rows()).map(({ queue, send_id: id }) => [queue, id]),
    [['FETCH', leaving.trackingId]]
  )
  const { decisions, details } = await h.logged(held.trackingId)
  assert.equal(decisions['EMAIL'], 'cancelled')
  assert.match(details!['EMAIL']!, /^read at .+Z$/)
})

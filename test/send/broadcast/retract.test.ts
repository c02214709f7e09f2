// A broadcast is retracted: out of every inbox and whatever waits, with right counters, and nothing else is touched.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Broadcast } from '../../../server/client/broadcasts.ts'
import { CLIENT, OTHER, startApp, type TestApp } from '../../security/app.ts'
import { until } from '../../support/process.ts'
import { addUsers, asOther, AT, ended, inboxes, json, news, ok, read } from './requests.ts'

const visible = async ({ db }: TestApp): Promise<Map<string, number>> => {
  const rows = await db.control<{ id: string; count: number }[]>`
    select user_id as id, count(*)::integer as count from inbox_items
    where env_id = ${CLIENT} and not removed group by user_id`
  return new Map(rows.map(({ count, id }) => [id, count]))
}

const wrongCounters = async ({ db }: TestApp): Promise<number> => {
  const [row] = await db.control<{ count: number }[]>`
    select count(*)::integer as count from inbox_counters c
    where c.unopened <> (
      select count(*) from inbox_items i
      where i.bucket = c.bucket and i.env_id = c.env_id and i.user_id = c.user_id and not i.removed and i.opened_at is null)`
  return row!.count
}

const retract = async (app: TestApp, broadcast: Broadcast): Promise<Broadcast> => {
  const at = `${AT}/${broadcast.broadcastId}`
  const answer = await ok(app, 'POST', `${at}/retract`)
  await until(
    async () => (await read(app, broadcast)).retraction?.state === 'done',
    'it is retracted',
    30_000
  )
  return answer
}

test('nobody has it any more, and other notifications stay', async () => {
  await using app = await startApp()
  await addUsers(app, 450)
  const send = { inapp: { title: 'Only for u7' }, to: { id: 'u7' }, type: 'news' }
  await ok(app, 'POST', `/${CLIENT}/sender`, send)
  const first = await ended(app, await ok(app, 'POST', AT, news({ everyone: true })))
  const second = await ended(app, await ok(app, 'POST', AT, news({ everyone: true })))
  assert.equal((await inboxes(app)).get('u7'), 3)

  const answer = await retract(app, first)
  assert.equal(answer.state, 'done')
  assert.ok(answer.retraction)
  const left = await visible(app)
  assert.equal(left.size, 450)
  assert.equal(left.get('u7'), 2)
  assert.equal(left.get('u8'), 1)
  assert.equal(await wrongCounters(app), 0)
  const task = await json(app, 'GET', `/${CLIENT}/tasks/${(await read(app, first)).retraction!.taskId}`)
  assert.deepEqual([task.json['total'], task.json['done'], task.json['state']], [450, 450, 'done'])

  await retract(app, second)
  assert.deepEqual([...(await visible(app))], [['u7', 1]])
  assert.equal(await wrongCounters(app), 0)
})

test('one at work is stopped, and what waits for a time or a digest goes too', async () => {
  await using app = await startApp()
  await addUsers(app, 300)
  await ok(app, 'PUT', `/${CLIENT}/notifications/news`, { channels: ['INAPP_WEB', 'EMAIL'], title: 'News' })
  const preferences = [{ channel: 'EMAIL', delivery: 'daily', notificationId: 'news' }]
  await ok(app, 'POST', `/${CLIENT}/users/u1/preferences`, { preferences })
  await app.db.control`update users set email = id || '@example.com' where env_id = ${CLIENT}`
  const email = { html: '<p>Storm</p>', subject: 'Storm' }
  const digested = await ended(app, await ok(app, 'POST', AT, news({ everyone: true }, { email })))
  const items = async (): Promise<number> =>
    (await app.db.control`select from digest_items where env_id = ${CLIENT}`).count
  assert.equal(await items(), 1)
  await retract(app, digested)
  assert.equal(await items(), 0)

  // Behind every zone, so that all wait.
  const localTime = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 16)
  const waiting = await ok(app, 'POST', AT, news({ everyone: true }, { localTime }))
  // It begins when the day begins in the first zone.
  await app.db.control`update tasks set start_at = now() where id = ${waiting.broadcastId}`
  await ended(app, waiting)
  const schedules = async (): Promise<number> =>
    (await app.db.control`select from outbox where queue = 'SCHEDULE' and env_id = ${CLIENT}`).count
  assert.equal(await schedules(), 300)
  await retract(app, waiting)
  assert.equal(await schedules(), 0)
  const [logged] = await app.db.control<{ id: string }[]>`
    select id from sends where body ->> 'broadcastId' = ${waiting.broadcastId} limit 1`
  const log = await json(app, 'GET', `/${CLIENT}/logs/${logged!.id}/explain`)
  assert.match(log.text, /The broadcast was retracted/)

  const slow = await ok(app, 'POST', AT, news({ everyone: true }, { perSecond: 20 }))
  await until(async () => (await read(app, slow)).done > 0, 'it has begun')
  assert.equal((await retract(app, slow)).state, 'stopped')
  assert.deepEqual([...(await visible(app))], [])
  assert.equal(await wrongCounters(app), 0)
})

test('it waits for the last chunk of a stopped broadcast, and a repeated call is the same task', async () => {
  await using app = await startApp()
  const schedule = new Date(Date.now() + 86_400_000).toISOString()
  const created = await ok(app, 'POST', AT, news({ everyone: true }, { schedule }))
  // As if another process were at work on it.
  await app.db.control`
    update tasks set state = 'running', started_at = now(), lease_until = now() + interval '1 hour'
    where id = ${created.broadcastId}`
  const at = `${AT}/${created.broadcastId}/retract`
  const one = await ok(app, 'POST', at)
  assert.equal(one.state, 'stopped')
  await until(async () => (await read(app, created)).retraction?.state === 'running', 'it has begun')
  const other = await ok(app, 'POST', at)
  assert.deepEqual(other.retraction, { state: 'running', taskId: one.retraction!.taskId })
  await app.db.control`update tasks set lease_until = now() where id = ${created.broadcastId}`
  await until(async () => (await read(app, created)).retraction?.state === 'done', 'it is done')
})

test('no other environment retracts a broadcast, and an unknown one is not found', async () => {
  await using app = await startApp()
  const created = await ok(app, 'POST', AT, news({ everyone: true }))
  const elsewhere = await app.ask(`/${OTHER}/broadcasts/${created.broadcastId}/retract`, {
    headers: asOther,
    method: 'POST'
  })
  assert.equal(elsewhere.status, 404)
  const unknown = await json(app, 'POST', `${AT}/00000000-0000-7000-8000-000000000000/retract`)
  assert.equal(unknown.status, 404)
  assert.equal((await read(app, created)).retraction, undefined)
})

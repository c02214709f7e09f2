// Broadcasts over HTTP: each user of the audience gets a send of its own, as preferences, language and time zone say, and exactly once.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Broadcast } from '../../../server/client/broadcasts.ts'
import { asBackEnd, CLIENT, OTHER, startApp } from '../../security/app.ts'
import { until } from '../../support/process.ts'
import { addUsers, asOther, AT, ended, inboxes, json, news, ok, progress, read } from './requests.ts'

test('everyone gets it once, but those who switched it off, and nobody of another environment', async () => {
  await using app = await startApp()
  await addUsers(app, 450)
  await addUsers(app, 5, { clientId: OTHER, prefix: 'other' })
  for (const id of ['u3', 'u7']) {
    const preferences = [{ channel: 'INAPP_WEB', delivery: 'off', notificationId: 'news' }]
    await ok(app, 'POST', `/${CLIENT}/users/${id}/preferences`, { preferences })
  }
  const created = await ok(app, 'POST', AT, news({ everyone: true }))
  assert.deepEqual(progress(created), {
    done: 0,
    failed: 0,
    leftOut: 0,
    sent: 0,
    state: 'queued',
    total: undefined
  })
  const done = await ended(app, created)
  assert.deepEqual(progress(done), { done: 450, failed: 0, leftOut: 2, sent: 448, state: 'done', total: 450 })
  const got = await inboxes(app)
  assert.equal(got.size, 448)
  assert.ok([...got.values()].every(count => count === 1))
  assert.equal(got.has('u3'), false)
  assert.equal((await inboxes(app, OTHER)).size, 0)

  // Each has a send of its own, which the log explains.
  const [sent] = await app.db.control<{ id: string }[]>`
    select id from sends where env_id = ${CLIENT} and user_id = 'u3'`
  const log = await json(app, 'GET', `/${CLIENT}/logs/${sent!.id}/explain`)
  assert.equal(log.status, 200, log.text)
  assert.match(log.text, /switched this channel off/)

  // Which users got it on no channel.
  const customFilter = `filter broadcastId = "${done.broadcastId}" and inapp_routing_reason exists`
  const found = await json(app, 'POST', `/${CLIENT}/logs/query`, { customFilter })
  const users = (found.json['logs'] as { user_id: string }[] | undefined)?.map(one => one.user_id)
  assert.deepEqual(users?.toSorted(), ['u3', 'u7'], found.text)
})

test('only users with these properties are counted and get it', async () => {
  await using app = await startApp()
  await addUsers(app, 300)
  const to = { properties: { plan: 'pro' } }
  assert.deepEqual(await ok(app, 'POST', `${AT}/estimate`, { to }), { total: 100 })
  const done = await ended(app, await ok(app, 'POST', AT, news(to)))
  assert.deepEqual(progress(done), { done: 100, failed: 0, leftOut: 0, sent: 100, state: 'done', total: 100 })
  assert.equal((await inboxes(app)).size, 100)
})

test('the members of a topic get it as a part of the type, which each can switch off', async () => {
  await using app = await startApp()
  await addUsers(app, 30)
  const to = { topic: 'line/harbour' }
  const unknown = await json(app, 'POST', AT, news(to))
  assert.equal(unknown.status, 422, unknown.text)
  assert.match(unknown.text, /#\/to\/topic/)
  const topic = `/${CLIENT}/topics/line%2Fharbour`
  await ok(app, 'PUT', topic, { title: 'Harbour line' })
  await ok(app, 'PUT', `${topic}/members`, { add: ['u1', 'u2', 'u3', 'newcomer'] })
  const off = [
    { channel: 'INAPP_WEB', delivery: 'off', notificationId: 'news', subNotificationId: 'line/harbour' }
  ]
  await ok(app, 'PUT', `/${CLIENT}/notifications/news`, { channels: ['INAPP_WEB'], title: 'News' })
  await ok(app, 'POST', `/${CLIENT}/users/u2/preferences`, { preferences: off })
  assert.deepEqual(await ok(app, 'POST', `${AT}/estimate`, { to }), { total: 4 })
  const done = await ended(app, await ok(app, 'POST', AT, news(to)))
  assert.deepEqual(progress(done), { done: 4, failed: 0, leftOut: 1, sent: 3, state: 'done', total: 4 })
  assert.deepEqual([...(await inboxes(app)).keys()].toSorted(), ['newcomer', 'u1', 'u3'])
  // Now each sees it in the preferences.
  const { text } = await json(app, 'GET', `/${CLIENT}/users/u1/preferences`)
  assert.match(text, /"subNotificationId":"line\/harbour"/)
})

test('pauses, resumes and stops at a rate', async () => {
  await using app = await startApp()
  await addUsers(app, 200)
  const created = await ok(app, 'POST', AT, news({ everyone: true }, { perSecond: 20 }))
  await until(async () => (await read(app, created)).done > 0, 'it has begun')
  const at = `${AT}/${created.broadcastId}`
  assert.equal((await ok(app, 'POST', `${at}/pause`)).state, 'paused')
  assert.equal((await ok(app, 'POST', `${at}/pause`)).state, 'paused')
  assert.equal((await ok(app, 'POST', `${at}/resume`)).state, 'queued')
  const before = (await read(app, created)).done
  await until(async () => (await read(app, created)).done > before, 'it goes on', 20_000)
  assert.equal((await ok(app, 'POST', `${at}/stop`)).state, 'stopped')
  assert.equal((await json(app, 'POST', `${at}/resume`)).status, 409)
  const { done } = await read(app, created)
  assert.ok(done < 200)
  const got = await inboxes(app)
  assert.ok([...got.values()].every(count => count === 1))
})

test('a local time is that of each user; a schedule is one instant', async () => {
  await using app = await startApp()
  await addUsers(app, 3)
  const zones = { u0: 'Pacific/Kiritimati', u1: 'UTC', u2: 'Pacific/Pago_Pago' }
  for (const [id, timezone] of Object.entries(zones))
    await app.db.control`update users set timezone = ${timezone} where env_id = ${CLIENT} and id = ${id}`
  // In Kiritimati, fourteen hours ahead, it was a minute ago.
  const localTime = new Date(Date.now() + 14 * 3_600_000 - 60_000).toISOString().slice(0, 16)
  await ended(app, await ok(app, 'POST', AT, news({ everyone: true }, { localTime })))
  assert.deepEqual([...(await inboxes(app)).keys()], ['u0'])
  const waiting = await app.db.control<{ id: string; at: Date }[]>`
    select user_id as id, run_at as at from outbox where queue = 'SCHEDULE' order by run_at`
  assert.deepEqual(
    waiting.map(({ at, id }) => [id, at.toISOString().slice(0, 16)]),
    [
      ['u1', localTime],
      ['u2', new Date(Date.parse(`${localTime}Z`) + 11 * 3_600_000).toISOString().slice(0, 16)]
    ]
  )

  const schedule = new Date(Date.now() + 86_400_000).toISOString()
  const later = await ok(app, 'POST', AT, news({ everyone: true }, { schedule }))
  const { broadcasts } = (await ok(app, 'GET', `${AT}?state=queued`)) as unknown as {
    broadcasts: Broadcast[]
  }
  assert.deepEqual(
    broadcasts.map(one => [one.broadcastId, one.schedule, one.startedAt]),
    [[later.broadcastId, schedule, undefined]]
  )
})

test('names wrong fields, and no other environment sees a broadcast', async () => {
  await using app = await startApp()
  const refused = async (body: object): Promise<string[]> => {
    const answer = await json(app, 'POST', AT, body)
    assert.equal(answer.status, 422, answer.text)
    return (answer.json['errors'] as { pointer: string }[]).map(({ pointer }) => pointer)
  }
  assert.deepEqual(await refused({ inapp: { title: 'x' }, to: { everyone: true } }), ['#/type'])
  assert.deepEqual(await refused(news({ id: 'u1' })), ['#/to/everyone', '#/to/id'])
  assert.deepEqual(await refused(news({ everyone: true }, { perSecond: 0 })), ['#/perSecond'])
  assert.deepEqual(await refused(news({ everyone: true }, { localTime: '2027-02-30T09:00' })), [
    '#/localTime'
  ])
  const schedule = new Date(Date.now() + 60_000).toISOString()
  const both = { localTime: '2027-01-01T09:00', schedule }
  assert.deepEqual(await refused(news({ everyone: true }, both)), ['#/localTime'])
  assert.deepEqual(await refused({ to: { everyone: true }, type: 'unknown' }), ['#/type'])

  const created = await ok(app, 'POST', AT, news({ everyone: true }, { schedule }))
  const elsewhere = await app.ask(`/${OTHER}/broadcasts/${created.broadcastId}`, { headers: asOther })
  assert.equal(elsewhere.status, 404)
  const stopped = await app.ask(`/${OTHER}/broadcasts/${created.broadcastId}/stop`, {
    headers: asOther,
    method: 'POST'
  })
  assert.equal(stopped.status, 404)
})

test('a repeated request with its idempotency key is one broadcast', async () => {
  await using app = await startApp()
  await addUsers(app, 2)
  const asked = {
    body: JSON.stringify(news({ everyone: true })),
    headers: { ...asBackEnd, 'idempotency-key': 'storm-1' },
    method: 'POST'
  }
  const [one, other] = [await app.ask(AT, asked), await app.ask(AT, asked)]
  assert.equal(one.json['broadcastId'], other.json['broadcastId'])
  await ended(app, one.json as unknown as Broadcast)
  assert.deepEqual([...(await inboxes(app)).values()], [1, 1])
})

test('who comes after the beginning is left out', async () => {
  await using app = await startApp()
  await addUsers(app, 40)
  const created = await ok(app, 'POST', AT, news({ everyone: true }, { perSecond: 20 }))
  await until(async () => (await read(app, created)).done > 0, 'it has begun')
  await app.db.control`
    insert into users (bucket, env_id, id) select 1023, ${CLIENT}, 'late' || i from generate_series(1, 5) i`
  assert.deepEqual(progress(await ended(app, created)).done, 40)
})

test('slow broadcasts of all environments keep no other task waiting', async () => {
  await using app = await startApp()
  await addUsers(app, 200)
  await addUsers(app, 200, { clientId: OTHER })
  const slow = news({ everyone: true }, { perSecond: 1 })
  const created = await ok(app, 'POST', AT, slow)
  const other = await app.ask(`/${OTHER}/broadcasts`, {
    body: JSON.stringify(slow),
    headers: asOther,
    method: 'POST'
  })
  assert.equal(other.status, 202, other.text)
  const states = async (): Promise<readonly string[]> =>
    (await app.db.control<{ state: string }[]>`select state from tasks where kind = 'broadcast'`).map(
      ({ state }) => state
    )
  await until(async () => (await states()).every(state => state === 'running'), 'both are at work')
  const task = await json(app, 'POST', `/${CLIENT}/users/u1/tasks`, { kind: 'export-user' })
  const at = `/${CLIENT}/users/u1/tasks/${String(task.json['id'])}`
  await until(async () => (await json(app, 'GET', at)).json['state'] === 'done', 'the export is done')
  assert.deepEqual(await states(), ['running', 'running'])
  await ok(app, 'POST', `${AT}/${created.broadcastId}/stop`)
})

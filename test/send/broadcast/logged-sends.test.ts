// Users of a broadcast who got only an inbox item have no row in the log: the item is the log of their sends. Search, explain, content,
// resend, export, erasure and retraction know them as they know others, and everybody else has a row.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Broadcast } from '../../../server/client/broadcasts.ts'
import type { LogRecord } from '../../../server/client/logs.ts'
import { CLIENT, OTHER, startApp, type TestApp } from '../../security/app.ts'
import { until } from '../../support/process.ts'
import { addUsers, asOther, AT, ended, json, news, ok, read } from './requests.ts'

const LOGS = `/${CLIENT}/logs`

/** Users with rows in the log. */
const usersWithRow = async ({ db }: TestApp): Promise<string[]> => {
  const rows = await db.control<{ id: string }[]>`select user_id as id from sends order by user_id, id`
  return rows.map(({ id }) => id)
}

const search = async (app: TestApp, body: object): Promise<{ logs: LogRecord[]; next?: string }> => {
  const answer = await json(app, 'POST', `${LOGS}/query`, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.json as unknown as { logs: LogRecord[]; next?: string }
}

const findOne = async (app: TestApp, userId: string): Promise<LogRecord> => {
  const { logs } = await search(app, { userFilter: [userId] })
  assert.equal(logs.length, 1, userId)
  return logs[0]!
}

const toEveryone = async (app: TestApp, more: object = {}): Promise<Broadcast> =>
  ended(app, await ok(app, 'POST', AT, news({ everyone: true }, more)))

const setPreference = (app: TestApp, userId: string, delivery: string, channel = 'INAPP_WEB') =>
  ok(app, 'POST', `/${CLIENT}/users/${userId}/preferences`, {
    preferences: [{ channel, delivery, notificationId: 'news' }]
  })

const setType = (app: TestApp, more: object = {}) =>
  ok(app, 'PUT', `/${CLIENT}/notifications/news`, {
    channels: ['INAPP_WEB', 'EMAIL'],
    title: 'News',
    ...more
  })

test('only users with another outcome than their inbox item have rows', async () => {
  await using app = await startApp()
  await addUsers(app, 6)
  await setType(app)
  await setPreference(app, 'u1', 'off')
  // The type has email, for which this broadcast has no content: that is no outcome of any user.
  await toEveryone(app)
  assert.deepEqual(await usersWithRow(app), ['u1'])

  // Now email has content: one gets it, one gets it later, and the others have no address.
  await setPreference(app, 'u3', 'daily', 'EMAIL')
  await app.db.control`update users set email = id || '@example.com' where id in ('u2', 'u3')`
  await app.db.control`delete from sends`
  await toEveryone(app, { email: { html: '<p>Storm</p>', subject: 'Storm' } })
  assert.deepEqual(await usersWithRow(app), ['u0', 'u1', 'u2', 'u3', 'u4', 'u5'])

  // Who has reached the limit of the type, and whose template says nothing for want of a value.
  await app.db.control`delete from sends`
  await ok(app, 'POST', `/${CLIENT}/sender`, { ...news({ id: 'u4' }), inapp: { title: 'Only for u4' } })
  await setType(app, { throttling: { max: 1, period: 1, unit: 'days' } })
  await app.db.control`delete from sends`
  await ok(app, 'POST', `/${CLIENT}/sender`, { ...news({ id: 'u5' }), inapp: { title: 'Only for u5' } })
  await toEveryone(app)
  assert.deepEqual(await usersWithRow(app), ['u1', 'u5', 'u5'])
  await app.db.control`delete from sends`
  await setType(app, { throttling: null })
  await toEveryone(app, { inapp: { title: 'Storm on {{ day }}' } })
  assert.deepEqual(await usersWithRow(app), ['u0', 'u1', 'u2', 'u3', 'u4', 'u5'])
})

test('the log of a user finds sends without rows between others, page by page', async () => {
  await using app = await startApp()
  await addUsers(app, 3)
  await setPreference(app, 'u2', 'off')
  const sendAlone = async (): Promise<string> =>
    String((await json(app, 'POST', `/${CLIENT}/sender`, news({ id: 'u1' }))).json['trackingId'])
  const first = await sendAlone()
  const { broadcastId } = await toEveryone(app, { parameters: { day: 'Thursday' } })
  const last = await sendAlone()
  await toEveryone(app, { subNotificationId: 'harbour' })

  const seen: LogRecord[] = []
  let cursor: string | undefined
  do {
    const { logs, next } = await search(app, { cursor, limit: 1, userFilter: ['u1'] })
    seen.push(...logs)
    cursor = next
  } while (cursor !== undefined)
  const [second, , sent] = seen
  assert.deepEqual([seen.length, seen[1]!.trackingId, seen[3]!.trackingId], [4, last, first])
  assert.deepEqual([second!.subNotificationId, sent!.broadcastId], ['harbour', broadcastId])
  assert.deepEqual([sent!.status, sent!.type, sent!.user_id, sent!.messages], ['success', 'news', 'u1', []])
  // What was sent stands once, with the broadcast.
  assert.deepEqual(JSON.parse(sent!.request), {
    broadcastId,
    inapp: { title: 'Storm on Thursday' },
    parameters: { day: 'Thursday' },
    to: { id: 'u1' },
    type: 'news'
  })
  const filters = { notificationFilter: ['news'], statusFilter: ['success'], userFilter: ['u0'] }
  assert.equal((await search(app, filters)).logs.length, 2)
  assert.equal((await search(app, { ...filters, statusFilter: ['failure'] })).logs.length, 0)
  assert.equal((await search(app, { ...filters, channelFilter: ['EMAIL'] })).logs.length, 0)
  // A search of the environment sees rows only.
  const all = await search(app, {})
  assert.deepEqual(all.logs.map(({ user_id }) => user_id).toSorted(), ['u1', 'u1', 'u2', 'u2'])
})

test('a tracking id is found, explained and sent again, and in no other environment', async () => {
  await using app = await startApp()
  await addUsers(app, 2)
  const { broadcastId } = await toEveryone(app)
  const { trackingId } = await findOne(app, 'u1')
  const { logs } = await search(app, { trackingIds: [trackingId] })
  assert.deepEqual(
    logs.map(one => [one.trackingId, one.broadcastId]),
    [[trackingId, broadcastId]]
  )
  const record = await json(app, 'GET', `${LOGS}/${trackingId}`)
  assert.deepEqual(record.json, { ...logs[0]! })
  const explained = await json(app, 'GET', `${LOGS}/${trackingId}/explain`)
  assert.match(explained.text, /it is in the inbox, not opened yet/)
  const content = await json(app, 'GET', `${LOGS}/${trackingId}/content`)
  assert.match(content.text, /Storm on Thursday/)
  const elsewhere = await app.ask(`/${OTHER}/logs/${trackingId}`, { headers: asOther })
  assert.equal(elsewhere.status, 404)

  const again = await json(app, 'POST', `${LOGS}/${trackingId}/resend`)
  assert.equal(again.status, 200, again.text)
  const items = await app.db.control<{ title: string }[]>`
    select content ->> 'title' as title from inbox_items where user_id = 'u1'`
  assert.deepEqual(
    items.map(({ title }) => title),
    ['Storm on Thursday', 'Storm on Thursday']
  )
  assert.deepEqual(await usersWithRow(app), ['u1'])
})

test('each is counted in the statistics with its item', async () => {
  await using app = await startApp()
  await addUsers(app, 250)
  await setPreference(app, 'u3', 'off')
  await toEveryone(app)
  const [row] = await app.db.control<{ sent: number; off: number }[]>`
    select sum((counts #>> '{INAPP_WEB,sent}')::integer)::integer as sent,
      sum((counts #>> '{INAPP_WEB,preference-off}')::integer)::integer as off
    from log_count_deltas where env_id = ${CLIENT} and notification_id = 'news'`
  assert.deepEqual({ ...row }, { off: 1, sent: 249 })
})

test('an export has them, an erasure and a retraction take them away', async () => {
  await using app = await startApp()
  await addUsers(app, 3)
  const broadcast = await toEveryone(app)
  const { trackingId } = await findOne(app, 'u1')
  const exported = await json(app, 'GET', `/${CLIENT}/users/u1/export`)
  assert.match(
    exported.text,
    new RegExp(
      `"id":"${trackingId}".*"broadcast_id":"${broadcast.broadcastId}"|"broadcast_id":"${broadcast.broadcastId}".*"id":"${trackingId}"`
    )
  )
  assert.equal((await json(app, 'DELETE', `/${CLIENT}/users/u1`)).status, 200)
  assert.equal((await json(app, 'GET', `${LOGS}/${trackingId}`)).status, 404)
  assert.equal((await search(app, { userFilter: ['u1'] })).logs.length, 0)

  const other = await findOne(app, 'u2')
  await ok(app, 'POST', `${AT}/${broadcast.broadcastId}/retract`)
  await until(async () => (await read(app, broadcast)).retraction?.state === 'done', 'it is retracted')
  const explained = await json(app, 'GET', `${LOGS}/${other.trackingId}/explain`)
  assert.match(explained.text, /retracted or expired later/)
  assert.equal((await app.db.control`select from inbox_items where not removed`).count, 0)
})

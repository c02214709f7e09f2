// Digests in the API: the log of each item, retraction, erasure, and the times that a type may set.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { uuidv7 } from '../../../server/core/id.ts'
import { asBackEnd, CLIENT, startApp, type TestApp } from '../../security/app.ts'

const to = { email: 'ada@example.com', id: 'ada' }
const TEMPLATES = { email: { html: '<p>{{ n }}</p>', subject: 'S' }, inapp: { title: 'T' } }

interface Story {
  readonly channel: string
  readonly state: string
  readonly decision: string
  readonly explanation: string
  readonly deliveries: readonly { readonly state: string }[]
}

async function asking(app: TestApp) {
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await app.ask(`/${CLIENT}${path}`, {
      headers: asBackEnd,
      method,
      ...(body !== undefined && { body: JSON.stringify(body) })
    })
    return { json: answer.json as Record<string, never>, status: answer.status }
  }
  const send = async (more: object = {}): Promise<string> => {
    const { json, status } = await ask('POST', '/sender', { to, type: 'news', ...more })
    assert.equal(status, 200, JSON.stringify(json))
    return json['trackingId']!
  }
  const story = async (id: string, channel = 'EMAIL') => {
    const { json } = await ask('GET', `/logs/${id}/explain`)
    const explanation = json as unknown as { status: string; channels: readonly Story[] }
    return { status: explanation.status, ...explanation.channels.find(one => one.channel === channel)! }
  }
  await ask('PUT', '/notifications/news', { templates: TEMPLATES })
  await ask('POST', '/user_preferences/ada', [
    { channel: 'EMAIL', delivery: 'daily', notificationId: 'news' }
  ])
  return { ask, send, story }
}

test('the log gives the time of a pending digest, and its outcome afterwards', async () => {
  await using app = await startApp()
  const { ask, send, story } = await asking(app)
  const ids = [await send(), await send()]
  const [head] = await app.db.control<{ at: Date }[]>`select run_at as at from outbox where queue = 'DIGEST'`
  const waiting = await story(ids[0]!)
  assert.deepEqual([waiting.state, waiting.decision, waiting.status], ['scheduled', 'digest', 'received'])
  assert.match(waiting.explanation, new RegExp(`digest of ${head!.at.toISOString()}`))
  const found = async (status: string): Promise<number> => {
    const { json } = await ask('POST', '/logs/query', { statusFilter: [status], trackingIds: ids })
    return (json['logs'] as unknown as object[]).length
  }
  assert.deepEqual([await found('received'), await found('success')], [2, 0])

  await app.db
    .control`update outbox set run_at = now(), body = jsonb_set(body, '{dueAt}', '0') where queue = 'DIGEST'`
  for (const queue of ['DIGEST', 'EMAIL'] as const) {
    app.queues.wake([queue])
    await app.queues.idle(queue)
  }
  for (const id of ids) {
    const outcome = await story(id)
    assert.deepEqual(
      [outcome.state, outcome.decision, outcome.status],
      ['sent', 'digested', 'success'],
      outcome.explanation
    )
    assert.match(
      outcome.explanation,
      new RegExp(`in a digest, logged as ${ids[1]!}. The provider accepted it`)
    )
    assert.equal(outcome.deliveries.length, 1)
  }
  assert.deepEqual([await found('received'), await found('success')], [0, 2])
})

test('a retraction removes pending items', async () => {
  await using app = await startApp()
  const { ask, send, story } = await asking(app)
  const one = await send({ subNotificationId: 'a' })
  const two = await send({ subNotificationId: 'b' })
  const { json } = await ask('POST', '/sender/retract', {
    notificationId: 'news',
    subNotificationId: 'a',
    userId: 'ada'
  })
  assert.deepEqual(json['trackingIds'], [one])
  const outcome = await story(one)
  assert.deepEqual([outcome.state, outcome.decision], ['discarded', 'retracted'])
  assert.match(outcome.explanation, /retracted before it was sent/)
  assert.equal((await story(two)).decision, 'digest')
  const left = await app.db.control`select id from digest_items`
  assert.deepEqual(
    left.map(row => row['id']),
    [two]
  )
})

test('an erasure deletes pending items', async () => {
  await using app = await startApp()
  const { ask, send } = await asking(app)
  await send()
  assert.equal((await ask('DELETE', '/users/ada')).status, 200)
  const [left] = await app.db.control`
    select (select count(*)::int from digest_items) as items, (select count(*)::int from outbox) as rows`
  assert.deepEqual({ ...left }, { items: 0, rows: 0 })
})

test('checks the digest times of a type when it is saved', async () => {
  await using app = await startApp()
  const { ask } = await asking(app)
  const put = (daily: object) =>
    ask('PUT', `/notifications/${uuidv7(0)}`, { options: { EMAIL: { daily } }, templates: TEMPLATES })
  assert.equal((await put({ date: 'last', day: '3', hour: '9' })).status, 201)
  for (const [key, value] of Object.entries({ date: 'middle', day: 'x', hour: 24 })) {
    const { json, status } = await put({ [key]: value })
    assert.equal(status, 422)
    assert.deepEqual(
      (json['errors'] as unknown as { pointer: string }[]).map(({ pointer }) => pointer),
      [`#/options/EMAIL/daily/${key}`]
    )
  }
})

// Sends through the real route: the answer, the rows that are stored by then, and the effects.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'

import type { Channel } from '#protocol'

import { bucketOf, bucketOfId, isTrackingId } from '../../server/core/id.ts'
import type { Db } from '../../server/db/db.ts'
import type { SendModuleLimits } from '../../server/send/send-module.ts'
import { asBackEnd, asUser, basic, CLIENT, OTHER, OTHER_SECRET, serve, type Served } from '../http/serve.ts'
import { PROVIDERS, testKit, testSender, type TestKit } from './test-context.ts'

interface Sending extends Served {
  readonly context: TestKit
}

async function sending(limits: SendModuleLimits = {}): Promise<Sending> {
  let context: TestKit | undefined
  const served = await serve(db => {
    context = testKit(db)
    return testSender(context, PROVIDERS, limits).routes
  })
  return { ...served, context: context! }
}

async function putType(
  db: Db,
  id: string,
  templates: Partial<Record<Channel, object>>,
  settings = {}
): Promise<void> {
  const channels = Object.keys(templates)
  await db.control`
    insert into notifications (env_id, id, title, channels, settings)
    values (${CLIENT}, ${id}, ${id}, ${channels}, ${db.control.json(settings)})`
  for (const [channel, content] of Object.entries(templates)) {
    await db.control`
      insert into templates (env_id, notification_id, channel, id, content)
      values (${CLIENT}, ${id}, ${channel}, '', ${db.control.json(content as never)})`
  }
}

interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly body: {
    trackingId: string
    messages: string[]
    errors?: { pointer: string }[]
    count?: number
    trackingIds?: string[]
  }
}

async function post(
  { fetch }: Sending,
  body: unknown,
  { headers = {}, path = '/sender' }: { headers?: Record<string, string>; path?: string } = {}
): Promise<Answered> {
  const answer = await fetch(`/${CLIENT}${path}`, {
    body: JSON.stringify(body),
    headers: { ...asBackEnd, ...headers },
    method: 'POST'
  })
  return { body: (await answer.json()) as Answered['body'], headers: answer.headers, status: answer.status }
}

const COMMENT = {
  EMAIL: { html: '<p>{{ name }}</p>', subject: 'S' },
  INAPP_WEB: { title: '{{ name }} wrote' }
}

const counts = async (db: Db) => {
  const [row] = await db.control`
    select (select count(*)::int from sends) as sends, (select count(*)::int from inbox_items) as items,
      (select count(*)::int from outbox) as outbox, (select count(*)::int from idempotency_keys) as keys`
  return row as unknown as { sends: number; items: number; outbox: number; keys: number }
}

test('a send is stored when it is answered', async () => {
  await using s = await sending()
  await putType(s.db, 'comment', COMMENT)
  const { body, status } = await post(s, {
    parameters: { name: 'Ada' },
    subNotificationId: 'post-1',
    to: { email: 'a@b.example', id: 'u1' },
    type: 'comment'
  })
  assert.equal(status, 200)
  assert.deepEqual(body.messages, [])
  assert.ok(isTrackingId(body.trackingId))
  assert.equal(bucketOfId(body.trackingId), bucketOf(CLIENT, 'u1'))
  const [send] = await s.db.control`select * from sends`
  assert.equal(send!['id'], body.trackingId)
  assert.equal(send!['sub_id'], 'post-1')
  assert.deepEqual(send!['body'].to, { email: 'a@b.example', id: 'u1' })
  assert.deepEqual(send!['decisions'], { EMAIL: 'sent', INAPP_WEB: 'sent' })
  const [item] = await s.db.control`select * from inbox_items`
  assert.equal(item!['id'], body.trackingId)
  assert.deepEqual(item!['content'], { parameters: { name: 'Ada' }, title: 'Ada wrote' })
  const [head] = await s.db.control`select * from inbox_counters`
  assert.deepEqual([head!['unopened'], head!['unarchived'], head!['version']], [1, 1, item!['seq']])
  const [row] = await s.db.control`select * from outbox`
  assert.deepEqual([row!['queue'], row!['send_id'], row!['user_id']], ['EMAIL', body.trackingId, 'u1'])
  assert.deepEqual(row!['body'], { notificationId: 'comment', template: '', to: 'a@b.example' })
  assert.deepEqual(
    s.context.events.map(event => event.change.items[0]?.id),
    [body.trackingId]
  )
  assert.deepEqual([...s.context.woken], ['EMAIL'])
})

test('parses the body as JSON whatever its content type', async () => {
  await using s = await sending()
  for (const type of ['text/plain;charset=UTF-8', 'application/x-www-form-urlencoded']) {
    const { status } = await post(
      s,
      { inapp: { title: 'Hi' }, to: { id: 'u' }, type: 't' },
      { headers: { 'content-type': type } }
    )
    assert.equal(status, 200)
  }
})

test('answers 202 with the reason if a channel is discarded', async () => {
  await using s = await sending()
  await putType(s.db, 'comment', { ...COMMENT, SMS: { message: 'x' } })
  const { body, status } = await post(s, { parameters: { name: 'A' }, to: { id: 'u1' }, type: 'comment' })
  assert.equal(status, 202)
  assert.equal(body.messages.length, 2)
  assert.match(body.messages.join(), /EMAIL was discarded: the user has no email address/)
  assert.match(body.messages.join(), /SMS was discarded: no provider is configured/)
  assert.deepEqual(await counts(s.db), { items: 1, keys: 0, outbox: 0, sends: 1 })
})

test('a malformed address or number discards its channels only', async () => {
  await using s = await sending()
  const { body, status } = await post(s, {
    call: { message: 'x' },
    email: { html: 'x', subject: 'x' },
    inapp: { title: 'Hi' },
    sms: { message: 'x' },
    to: { email: 'ada at example', id: 'u1', number: '555-12' },
    type: 'comment'
  })
  assert.equal(status, 202)
  assert.match(body.messages[0]!, /^#\/to\/email: Expected one email address/)
  assert.match(body.messages[1]!, /^#\/to\/number: Expected a phone number/)
  assert.equal(body.messages.filter(message => message.endsWith('in the send is malformed.')).length, 3)
  const [row] = await s.db.control`select decisions from sends`
  assert.deepEqual(row!['decisions'], {
    CALL: 'malformed-address',
    EMAIL: 'malformed-address',
    INAPP_WEB: 'sent',
    SMS: 'malformed-address'
  })
})

test('warns of variables without a value, once for each channel', async () => {
  await using s = await sending()
  await putType(s.db, 'comment', {
    ...COMMENT,
    EMAIL: {
      html: '{% if name %}{{ name }}{% endif %}{{ user.number }}{{ unsubscribeLink }}',
      subject: '{{ name | default: "Somebody" }}'
    }
  })
  const send = { to: { email: 'a@b.example', id: 'u1' }, type: 'comment' }
  const { body, status } = await post(s, send)
  assert.equal(status, 200)
  assert.deepEqual(
    body.messages.map(message => message.split(' has no value')[0]),
    ['INAPP_WEB: {{ name }}', 'EMAIL: {{ user.number }}']
  )
  const [row] = await s.db.control`select warnings from sends`
  assert.deepEqual(row!['warnings'], body.messages)

  const inline = await post(s, { ...send, inapp: { title: 'Hi {{ user.id }} of {{ team }}' } })
  assert.match(inline.body.messages[0]!, /^INAPP_WEB: \{\{ team \}\} has no value/)
  const later = await post(s, { ...send, schedule: new Date(Date.now() + 3_600_000).toISOString() })
  assert.deepEqual(later.body.messages, body.messages)
})

test('applies stored contact details and preferences', async () => {
  await using s = await sending()
  await putType(s.db, 'comment', COMMENT)
  const bucket = bucketOf(CLIENT, 'u1')
  await s.db
    .control`insert into users (bucket, env_id, id, email) values (${bucket}, ${CLIENT}, 'u1', 'stored@b.example')`
  assert.equal((await post(s, { to: { id: 'u1' }, type: 'comment' })).status, 200)
  await s.db.control`
    insert into preferences (bucket, env_id, user_id, key, notification_id, channel, delivery)
    values (${bucket}, ${CLIENT}, 'u1', 'x', 'comment', 'INAPP_WEB', 'off')`
  const { body, status } = await post(s, { to: { id: 'u1' }, type: 'comment' })
  assert.equal(status, 202)
  assert.match(body.messages.join(), /INAPP_WEB was discarded: the user has switched this channel off/)
  assert.deepEqual(await counts(s.db), { items: 1, keys: 0, outbox: 2, sends: 2 })
})

test('creates a missing type from the content of a send, and refuses a send without content', async () => {
  await using s = await sending()
  const { body, status } = await post(s, { to: { id: 'u1' }, type: 'novel' })
  assert.equal(status, 422)
  assert.deepEqual(
    body.errors?.map(error => error.pointer),
    ['#/type']
  )
  assert.match(body.messages.join(), /novel/)
  const misspelt = await post(s, { inap: { title: 'Hi' }, to: { id: 'u1' }, type: 'novel' })
  assert.match(misspelt.body.messages.join(), /#\/inap: .* Did you mean inapp\?/)
  assert.deepEqual(await counts(s.db), { items: 0, keys: 0, outbox: 0, sends: 0 })
  assert.equal((await post(s, { inapp: { title: 'Hi' }, to: { id: 'u1' }, type: 'novel' })).status, 200)
  const [type] = await s.db.control`select channels from notifications where id = 'novel'`
  assert.deepEqual(type!['channels'], ['INAPP_WEB'])

  // The type is ad hoc, so the next send may add another channel, and goes out on that channel only.
  const email = { html: '<p>', subject: 'S' }
  const mail = await post(s, { email, to: { email: 'a@b.example', id: 'u1' }, type: 'novel' })
  assert.deepEqual([mail.status, mail.body.messages], [200, []])
  const [grown] = await s.db.control`select channels from notifications where id = 'novel'`
  assert.deepEqual(grown!['channels'], ['EMAIL', 'INAPP_WEB'])
  assert.deepEqual(await counts(s.db), { items: 1, keys: 0, outbox: 1, sends: 2 })
})

test('answers that content was discarded if the type does not include its channel', async () => {
  await using s = await sending()
  await putType(s.db, 'comment', { INAPP_WEB: { title: 'x' } })
  const email = { html: '<p>', subject: 'S' }
  const { body, status } = await post(s, { email, to: { email: 'a@b.example', id: 'u1' }, type: 'comment' })
  assert.equal(status, 202)
  assert.match(
    body.messages.join(),
    /EMAIL was discarded: the notification type .* does not include this channel/
  )
})

test('a link that becomes unsafe by its parameters is not stored in an inbox', async () => {
  await using s = await sending()
  await putType(s.db, 'comment', { ...COMMENT, INAPP_WEB: { redirectURL: '{{ link }}', title: 'x' } })
  const { body, status } = await post(s, {
    parameters: { link: 'javascript:alert(1)' },
    to: { email: 'a@b.example', id: 'u1' },
    type: 'comment'
  })
  assert.equal(status, 202)
  assert.match(body.messages.join(), /INAPP_WEB was discarded: redirectURL/)
  const [send] = await s.db.control`select decisions from sends`
  assert.deepEqual(send!['decisions'], { EMAIL: 'sent', INAPP_WEB: 'render-failed' })
})

test('an email with attachments by address starts in the queue FETCH', async () => {
  await using s = await sending()
  await putType(s.db, 'comment', COMMENT)
  const { status } = await post(s, {
    options: { email: { attachments: [{ filename: 'a', url: 'https://a.example/a' }] } },
    to: { email: 'a@b.example', id: 'u1' },
    type: 'comment'
  })
  assert.equal(status, 200)
  const [row] = await s.db.control`select queue, body from outbox`
  assert.deepEqual([row!['queue'], row!['body'].files], ['FETCH', ['https://a.example/a']])
})

test('retention sets the expiry of the item and queues it', async () => {
  await using s = await sending()
  await putType(s.db, 'comment', { INAPP_WEB: { title: 'x' } }, { retention: 2 })
  const { body } = await post(s, { to: { id: 'u1' }, type: 'comment' })
  const [item] = await s.db
    .control`select expires_at, extract(epoch from expires_at - now())::float8 as left from inbox_items`
  assert.ok(Math.abs(item!['left'] - 172_800) < 60)
  const [row] = await s.db.control`select queue, run_at, send_id from outbox`
  assert.deepEqual(
    [row!['queue'], row!['send_id'], row!['run_at']],
    ['EXPIRE', body.trackingId, item!['expires_at']]
  )
})

test('forty concurrent requests with one idempotency key are one send with one answer', async () => {
  await using s = await sending()
  await putType(s.db, 'comment', COMMENT)
  const headers = { 'idempotency-key': 'once' }
  const request = { to: { email: 'a@b.example', id: 'u1' }, type: 'comment' }
  const answers = await Promise.all(Array.from({ length: 40 }, () => post(s, request, { headers })))
  assert.deepEqual(new Set(answers.map(answer => JSON.stringify(answer.body))).size, 1)
  assert.deepEqual(new Set(answers.map(answer => answer.status)), new Set([200]))
  assert.equal(answers.filter(answer => answer.headers.get('idempotent-replayed') === null).length, 1)
  assert.deepEqual(await counts(s.db), { items: 1, keys: 1, outbox: 1, sends: 1 })
  assert.equal(s.context.events.length, 1)

  const other = await post(s, { ...request, templateId: 'other' }, { headers })
  assert.equal(other.status, 422)
  assert.match(JSON.stringify(other.body), /idempotency-key-reused/)
  const elsewhere = await post(s, { ...request, to: { email: 'a@b.example', id: 'u2' } }, { headers })
  assert.equal(elsewhere.status, 200, 'a key belongs to one user')
})

test('of two concurrent bodies with the same key one is accepted and the other refused', async () => {
  await using s = await sending()
  const request = (title: string) => ({ inapp: { title }, to: { id: 'u1' }, type: 't' })
  const headers = { 'idempotency-key': 'once' }
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, i) => post(s, request(`title ${i % 2}`), { headers }))
  )
  const statuses = Map.groupBy(answers, answer => answer.status)
  assert.deepEqual([...statuses.keys()].toSorted(), [200, 422])
  assert.equal(statuses.get(200)!.length, 20)
  assert.deepEqual(await counts(s.db), { items: 1, keys: 1, outbox: 0, sends: 1 })
})

test('a repeated request gets its answer even if its type was deleted; a refused request stores no key', async () => {
  await using s = await sending()
  await putType(s.db, 'comment', { INAPP_WEB: { title: 'x' } })
  const headers = { 'idempotency-key': 'k' }
  const first = await post(s, { to: { id: 'u1' }, type: 'comment' }, { headers })
  await s.db.control`delete from notifications`
  s.context.types.forget(CLIENT)
  const again = await post(s, { to: { id: 'u1' }, type: 'comment' }, { headers })
  assert.deepEqual([again.status, again.body], [first.status, first.body])
  const refused = await post(
    s,
    { to: { id: 'u1' }, type: 'comment' },
    { headers: { 'idempotency-key': 'l' } }
  )
  assert.equal(refused.status, 422)
  assert.equal((await counts(s.db)).keys, 1)
})

test('sends of one user keep the order of their arrival', async () => {
  await using s = await sending({ batch: { maxBatchSize: 7 } })
  const titles = Array.from({ length: 60 }, (_, i) => `title ${i}`)
  // One connection, so that they arrive in this order.
  const { request, Agent } = await import('node:http')
  const agent = new Agent({ keepAlive: true, maxSockets: 60 })
  const ids = new Map<string, string>()
  let gate = Promise.resolve()
  await Promise.all(
    titles.map(async title => {
      const before = gate
      let sent = () => {}
      gate = new Promise(resolve => (sent = resolve))
      await before
      await new Promise<void>((resolve, reject) => {
        const call = request(
          `${s.url}/${CLIENT}/sender`,
          { agent, headers: asBackEnd, method: 'POST' },
          answer => {
            let text = ''
            answer
              .on('data', chunk => (text += chunk))
              .on('end', () => {
                ids.set(JSON.parse(text).trackingId, title)
                resolve()
              })
          }
        )
        call.on('error', reject)
        call.on('finish', sent)
        call.end(JSON.stringify({ inapp: { title }, to: { id: 'u1' }, type: 't' }))
      })
    })
  )
  agent.destroy()
  const rows = await s.db.control`select id, content ->> 'title' as title from inbox_items order by seq`
  assert.equal(rows.length, 60)
  // Ordered by tracking id, which is the order of arrival.
  assert.deepEqual(
    rows.map(row => row['title']),
    [...ids].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, title]) => title)
  )
})

test('accepts only the back end of the environment', async () => {
  await using s = await sending()
  const body = { inapp: { title: 'x' }, to: { id: 'u1' }, type: 't' }
  for (const headers of [
    { authorization: '' },
    asUser('u1'),
    basic(`${CLIENT}:wrong`),
    basic(`${OTHER}:${OTHER_SECRET}`)
  ]) {
    for (const path of ['/sender', '/sender/retract']) {
      assert.equal((await post(s, body, { headers, path })).status, 401)
    }
  }
  assert.deepEqual(await counts(s.db), { items: 0, keys: 0, outbox: 0, sends: 0 })
})

test('accepts any text as user id', async () => {
  await using s = await sending()
  for (const id of [
    'a:b',
    'a/b',
    'a%b',
    '🎉'.repeat(255),
    'null',
    ' ',
    "'; drop table sends; --",
    '\\',
    '{"a"}'
  ]) {
    const { status } = await post(s, { inapp: { title: id }, to: { id }, type: 't' })
    assert.equal(status, 200, id)
    const [item] = await s.db.control`select content from inbox_items where user_id = ${id}`
    assert.deepEqual(item!['content'], { title: id })
  }
})

test('a retraction removes the items of a type or sub-notification, and can be repeated', async () => {
  await using s = await sending()
  const send = (type: string, sub: string, id = 'u1') =>
    post(s, { inapp: { title: 'x' }, subNotificationId: sub, to: { id }, type })
  const path = '/sender/retract'
  const ids = []
  for (const sub of ['a', 'a', 'b', '']) ids.push((await send('comment', sub)).body.trackingId)
  await send('other', 'a')
  await send('comment', 'a', 'u2')
  s.context.events.length = 0

  const part = await post(s, { notificationId: 'comment', secondaryId: 'a', userId: 'u1' }, { path })
  assert.equal(part.status, 200)
  assert.deepEqual(part.body.trackingIds?.toSorted(), ids.slice(0, 2).toSorted())
  assert.deepEqual(
    s.context.events.map(event => event.change.removed.toSorted()),
    [ids.slice(0, 2).toSorted()]
  )
  const all = await post(s, { notificationId: 'comment', userId: 'u1' }, { path })
  assert.deepEqual(all.body.trackingIds?.toSorted(), ids.slice(2).toSorted())
  const none = await post(s, { notificationId: 'comment', subNotificationId: 'zzz', userId: 'u1' }, { path })
  assert.deepEqual([none.status, none.body.count], [200, 0])
  const [head] = await s.db.control`select unopened from inbox_counters where user_id = 'u1'`
  assert.equal(head!['unopened'], 1)

  const wrong = await post(s, { evil: 1 }, { path })
  assert.equal(wrong.status, 422)
  // Without its sub-notification, it would remove all of the type.
  const left = await s.db.control`select id from inbox_items where user_id = 'u2' and not removed`
  const misspelt = await post(
    s,
    { notificationId: 'comment', subNotifcationId: 'zzz', userId: 'u2' },
    { path }
  )
  assert.deepEqual(
    [misspelt.status, misspelt.body.errors],
    [422, [{ detail: 'Unknown field. Did you mean subNotificationId?', pointer: '#/subNotifcationId' }]]
  )
  assert.deepEqual(await s.db.control`select id from inbox_items where user_id = 'u2' and not removed`, left)
  assert.equal(left.length, 1)
  const warned = await post(s, { notificationId: 'comment', userId: 'u1', x: 1 }, { path })
  assert.match(warned.body.messages.join(), /#\/x/)
})

test('a retraction with an idempotency key is applied once', async () => {
  await using s = await sending()
  const path = '/sender/retract'
  const headers = { 'idempotency-key': randomUUID() }
  await post(s, { inapp: { title: 'x' }, to: { id: 'u1' }, type: 't' })
  const first = await post(s, { notificationId: 't', userId: 'u1' }, { headers, path })
  await post(s, { inapp: { title: 'x' }, to: { id: 'u1' }, type: 't' })
  const again = await post(s, { notificationId: 't', userId: 'u1' }, { headers, path })
  assert.deepEqual(again.body, first.body)
  const [head] = await s.db.control`select unopened from inbox_counters`
  assert.equal(head!['unopened'], 1, 'the second send came after the retraction')
})

test('counters agree with the items after concurrent sends and retractions', async () => {
  await using s = await sending()
  const path = '/sender/retract'
  const answers = await Promise.all(
    Array.from({ length: 120 }, (_, i) =>
      i % 4 === 3
        ? post(s, { notificationId: 't', userId: 'u1' }, { path })
        : post(s, { inapp: { title: 'x' }, to: { id: 'u1' }, type: 't' })
    )
  )
  for (const [i, { body, status }] of answers.entries()) {
    assert.equal(status, 200, `request ${i}: ${status} ${JSON.stringify(body)}`)
  }
  const [row] = await s.db.control`
    select h.unopened, h.unarchived, (select count(*)::int from inbox_items where not removed) as left,
      (select count(*)::int from inbox_items) as all from inbox_counters h`
  assert.equal(row!['all'], 90)
  assert.deepEqual([row!['unopened'], row!['unarchived']], [row!['left'], row!['left']])
})

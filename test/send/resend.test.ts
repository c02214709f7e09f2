// Sending again what the log keeps: content and recipient of then, contact data of now, and clear reasons where nothing is left.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { bucketOf, placementHash, uuidv7, type UserKey } from '../../server/core/id.ts'
import { identifyUser } from '../../server/users/identify.sql.ts'
import { eraseUser } from '../../server/users/privacy/erase.ts'
import { identity } from '../../server/users/schema.ts'
import { CLIENT, OTHER } from '../http/serve.ts'
import { openDesk, pointersOf, type Desk, type Json } from '../logs/log-server.ts'

const DAY = 86_400_000
const user = (userId: string): UserKey => ({ bucket: bucketOf(CLIENT, userId), envId: CLIENT, userId })

const identify = (desk: Desk, userId: string, given: object) =>
  identifyUser(desk.db.control, user(userId), identity.parse(given), {
    limits: { devices: 1, properties: 1 }
  })

const resend = (desk: Desk, id: string, body?: Json, headers = {}, clientId = CLIENT) =>
  desk.ask('POST', `/${clientId}/logs/${id}/resend`, body, headers)

const both = (to: object, more: Json = {}): Json => ({
  email: { html: '<p>{{ item }}</p>', subject: 'S' },
  inapp: { title: '{{ item }}' },
  parameters: { item: 'Red shoes' },
  to,
  type: 'order',
  ...more
})

test('sends the same content again to the address of now, and links both sends', async () => {
  await using desk = await openDesk()
  await identify(desk, 'ada', { email: 'ada@old.test' })
  const first = await desk.send(both({ id: 'ada' }))
  await desk.drain()
  await identify(desk, 'ada', { email: 'ada@new.test' })
  const to: string[] = []
  desk.provider = ({ body }) => {
    to.push((body as { to: string }).to)
    return { kind: 'sent' }
  }
  const { body, status } = await resend(desk, first.toUpperCase())
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body['resendOf'], first)
  assert.notEqual(body['trackingId'], first)
  await desk.drain()
  assert.deepEqual(to, ['ada@new.test'])
  const { logs } = await desk.query({ customFilter: `filter resendOf = "${first}"` })
  assert.deepEqual(
    logs.map(({ resendOf, trackingId }) => [resendOf, trackingId]),
    [[first, body['trackingId']]]
  )
  const items = await desk.db.control`select content ->> 'title' as title from inbox_items order by id`
  assert.deepEqual(
    items.map(({ title }) => title),
    ['Red shoes', 'Red shoes']
  )
})

test('keeps an address that the send gave, and limits the channels', async () => {
  await using desk = await openDesk()
  await identify(desk, 'bob', { email: 'bob@new.test' })
  const first = await desk.send(both({ email: 'given@x.test', id: 'bob' }))
  await desk.drain()
  const to: string[] = []
  desk.provider = ({ body }) => {
    to.push((body as { to: string }).to)
    return { kind: 'sent' }
  }
  const { body } = await resend(desk, first, { channels: ['EMAIL'] })
  await desk.drain()
  assert.deepEqual(to, ['given@x.test'])
  const record = await desk.ask('GET', `/${CLIENT}/logs/${String(body['trackingId'])}`)
  const { channels } = record.body as unknown as { channels: { channel: string }[] }
  assert.deepEqual(
    channels.map(({ channel }) => channel),
    ['EMAIL']
  )
  for (const [given, pointer] of [
    [{ channels: ['INAPP_WEB', 'SMS'] }, '#/channels/1'],
    [{ channels: ['FAX'] }, '#/channels/0'],
    [{ channels: [] }, '#/channels'],
    [{ channel: ['EMAIL'] }, '#/channel']
  ] as const) {
    const refused = await resend(desk, first, given)
    assert.equal(refused.status, 422)
    assert.deepEqual(pointersOf(refused), [pointer])
  }
})

test('sends once for an idempotency key, and past throttling and deduplication', async () => {
  await using desk = await openDesk()
  const rules = { deduplication: { duration: 3600 }, throttling: { max: 1, period: 1, unit: 'days' } }
  const first = await desk.send(both({ email: 'a@x.test', id: 'ada' }))
  await desk.db.control`update notifications set settings = settings || ${desk.db.control.json(rules)}`
  desk.context.types.forget(CLIENT)
  const key = { 'idempotency-key': 'again' }
  const answers = await Promise.all([1, 2, 3].map(() => resend(desk, first, {}, key)))
  assert.equal(new Set(answers.map(({ body }) => body['trackingId'])).size, 1)
  assert.ok(answers.every(({ body, status }) => status === 200 && body['resendOf'] === first))
  assert.equal((await resend(desk, first, { channels: ['EMAIL'] }, key)).status, 422)
  const [count] = await desk.db.control`select count(*)::int as sends from sends`
  assert.equal(count!['sends'], 2)
  await desk.send(both({ email: 'a@x.test', id: 'ada' }))
  const suppressed = await desk.ask('POST', `/${CLIENT}/sender`, both({ email: 'a@x.test', id: 'ada' }))
  assert.match(JSON.stringify(suppressed.body['messages']), /throttled|deduplicated/)
  assert.equal((await resend(desk, first)).status, 200)
})

test('says why a send cannot be sent again', async () => {
  await using desk = await openDesk()
  const first = await desk.send(both({ email: 'a@x.test', id: 'ada' }))
  assert.equal((await resend(desk, first, {}, {}, OTHER)).status, 404, 'another environment')
  assert.equal((await resend(desk, 'nonsense')).status, 404)
  const old = uuidv7(placementHash(CLIENT, 'ada'), Date.now() - 31 * DAY)
  const expired = await resend(desk, old)
  assert.equal(expired.status, 409)
  assert.match(String(expired.body['detail']), /keeps sends for 30 days/)
  const at = new Date(Date.now() + DAY).toISOString()
  const later = await desk.send(both({ email: 'a@x.test', id: 'eve' }, { schedule: at }))
  const waiting = await resend(desk, later)
  assert.equal(waiting.status, 409)
  assert.match(String(waiting.body['detail']), /scheduled for/)
  await eraseUser(desk.db, user('ada'))
  assert.equal((await resend(desk, first)).status, 404)
})

test('writes nothing of a user who is erased while it is sent again', async () => {
  await using desk = await openDesk()
  const first = await desk.send(both({ email: 'a@x.test', id: 'ada' }))
  // Between the read of the log and the write: the type is read there.
  const { types } = desk.context
  const get = types.get.bind(types)
  let erasing: Promise<unknown> | undefined
  types.get = async (...given) => {
    erasing ??= eraseUser(desk.db, user('ada'))
    await erasing
    return get(...given)
  }
  const { status } = await resend(desk, first)
  assert.equal(status, 503)
  const [count] = await desk.db.control`select count(*)::int as sends from sends`
  assert.equal(count!['sends'], 0)
})

// A notification changes in its place: by the back end, by a button, and by the answer to its webhook.

import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, test } from 'node:test'

import type { InboxPage, Notif } from '#protocol'

import { ensureEnvironment } from '../../../server/environments/environments.sql.ts'
import {
  asAdmin,
  asBackEnd,
  asUser,
  basic,
  CLIENT,
  OTHER,
  OTHER_SECRET,
  SECRET,
  startApp,
  type TestApp
} from '../../security/app.ts'
import { testDb } from '../../support/db.ts'
import { TEST_ENCRYPTION } from '../../support/test-encryption.ts'
import { openTestNode } from '../../support/test-node.ts'
import { openWebhookPeer, type WebhookAnswer, type WebhookPeer } from './webhook-peer.ts'

const webhookKey = (clientSecret: string): string =>
  `whsec_${createHmac('sha256', clientSecret).update('notif-kit/webhook').digest('base64')}`

const ALLOWED = (peer: WebhookPeer) => ({
  NOTIF_ALLOW_PRIVATE: '127.0.0.0/8',
  NOTIF_OUTBOUND_PORTS: String(peer.port)
})

let app: TestApp
let peer: WebhookPeer
before(async () => {
  peer = await openWebhookPeer(webhookKey(SECRET))
  app = await startApp(ALLOWED(peer))
  await setWebhook(peer.url)
})
after(async () => {
  await app[Symbol.asyncDispose]()
  await peer[Symbol.asyncDispose]()
})

async function setWebhook(url: string | null): Promise<void> {
  const body = JSON.stringify({ webhook: url === null ? null : { url } })
  const set = await app.ask(`/environments/${CLIENT}`, { body, headers: asAdmin, method: 'PATCH' })
  assert.equal(set.status, 200, set.text)
}

const ask = (method: string, path: string, body: unknown, headers = asBackEnd) =>
  app.ask(`/${CLIENT}${path}`, { body: JSON.stringify(body), headers, method })

async function send(userId: string, inapp: object, parameters = {}): Promise<string> {
  const sent = await ask('POST', '/sender', { inapp, parameters, to: { id: userId }, type: 'approval' })
  assert.equal(sent.status, 200, sent.text)
  return String(sent.json['trackingId'])
}

async function inboxOf(userId: string): Promise<InboxPage> {
  const { json } = await app.ask(`/${CLIENT}/users/${userId}/inbox`, { headers: asUser(userId) })
  return json as unknown as InboxPage
}
const itemOf = async (userId: string): Promise<Notif> => (await inboxOf(userId)).items[0]!

const press = (userId: string, id: string, actionId: string, headers = asUser(userId)) =>
  ask('POST', `/users/${userId}/inbox/${id}/actions/${actionId}`, {}, headers)

const APPROVAL = {
  actions: [
    { id: 'approve', label: 'Approve', send: true },
    { id: 'decline', label: 'Decline', send: true }
  ],
  title: 'Winter fares'
}

test('an update changes the item in its place, without news', async () => {
  const id = await send('ada', { body: 'Collecting', progress: {}, title: 'Report' }, { n: 1 })
  await send('ada', { title: 'Later' })
  const before = await inboxOf('ada')
  const path = `/users/ada/inbox/${id}`
  const updated = await ask('PATCH', path, {
    body: null,
    progress: { value: 0.62 },
    title: '{{ plain }} <b>'
  })
  assert.equal(updated.status, 200, updated.text)
  const after = await inboxOf('ada')
  const item = after.items[1]!
  assert.deepEqual(updated.json, item)
  assert.equal(item.title, '{{ plain }} <b>')
  assert.equal(item.body, undefined)
  assert.deepEqual(item.progress, { state: 'running', value: 0.62 })
  assert.deepEqual(item.parameters, { n: 1 })
  assert.equal(item.date, before.items[1]!.date)
  assert.deepEqual(after.counts, before.counts)
  assert.ok(after.version > before.version)
  const { json } = await app.ask(`/${CLIENT}/users/ada/inbox/changes?since=${before.version}`, {
    headers: asUser('ada')
  })
  assert.deepEqual(json['items'], [item])
})

test('an update with `notify` makes the item new, unread and the first one', async () => {
  const id = await send('abe', { progress: {}, title: 'Report' })
  await send('abe', { title: 'Later' })
  const opened = { opened: '2026-11-20T04:34:37.557Z', trackingIds: 'ALL' }
  assert.equal((await ask('PATCH', '/users/abe/inbox', opened, asUser('abe'))).status, 200)
  const updated = await ask('PATCH', `/users/abe/inbox/${id}`, { notify: true, progress: { state: 'done' } })
  assert.equal(updated.status, 200, updated.text)
  const { counts, items } = await inboxOf('abe')
  assert.equal(items[0]!.id, id)
  assert.equal(items[0]!.opened, undefined)
  assert.ok(items[0]!.date > items[1]!.date)
  assert.deepEqual([counts.unopened, counts.unseen], [1, 1])
})

test('an idempotency key updates once', async () => {
  const id = await send('bea', { title: 'One' })
  const headers = { ...asBackEnd, 'idempotency-key': 'k1' }
  const first = await ask('PATCH', `/users/bea/inbox/${id}`, { title: 'Two' }, headers)
  await ask('PATCH', `/users/bea/inbox/${id}`, { title: 'Three' })
  const again = await ask('PATCH', `/users/bea/inbox/${id}`, { title: 'Two' }, headers)
  assert.deepEqual(again.json, first.json)
  assert.equal((await itemOf('bea')).title, 'Three')
})

test('refuses wrong fields by name, and items of others', async () => {
  const id = await send('cas', APPROVAL)
  for (const [body, pointer] of [
    [{ url: 'javascript:alert(1)' }, '#/url'],
    [{ url: 'javascript:{{ x }}' }, '#/url'],
    [{ url: '{{ x }}' }, '#/redirectURL'],
    [{ title: null }, '#/title'],
    [{ actions: [{ id: 'a', label: 'A', url: '//evil.example' }] }, '#/actions/0/url'],
    [{ titel: 'x' }, '#/titel'],
    [{ outcome: { actionId: 'approve', state: 'maybe' } }, '#/outcome/state']
  ] as const) {
    const refused = await ask('PATCH', `/users/cas/inbox/${id}`, body)
    assert.equal(refused.status, 422, JSON.stringify(body))
    assert.match(refused.text, new RegExp(pointer))
  }
  const other = basic(`${OTHER}:${OTHER_SECRET}`)
  const body = JSON.stringify({ title: 'x' })
  for (const [path, headers, status] of [
    [`/${CLIENT}/users/dee/inbox/${id}`, asBackEnd, 404],
    [`/${OTHER}/users/cas/inbox/${id}`, other, 404],
    [`/${CLIENT}/users/cas/inbox/nothing`, asBackEnd, 404],
    [`/${CLIENT}/users/cas/inbox/${id}`, asUser('cas'), 401]
  ] as const) {
    assert.equal((await app.ask(path, { body, headers, method: 'PATCH' })).status, status, path)
  }
  assert.equal((await itemOf('cas')).title, APPROVAL.title)
})

test('a button sends a signed webhook, and its answer is the outcome', async () => {
  peer.received.length = 0
  peer.answers = [[200, { text: 'You approved this' }]]
  const id = await send('eve', APPROVAL, { plan: 7 })
  const pressed = await press('eve', id, 'approve')
  assert.equal(pressed.status, 200, pressed.text)
  const pending = (pressed.json['items'] as Notif[])[0]!
  assert.equal(pending.outcome!.state, 'pending')
  assert.ok(pending.actioned1 && pending.opened)
  assert.equal((pressed.json['counts'] as InboxPage['counts']).unopened, 0)
  await app.queues.idle('WEBHOOK')
  const { outcome } = await itemOf('eve')
  assert.deepEqual(
    { ...outcome, at: '' },
    { actionId: 'approve', at: '', state: 'done', text: 'You approved this' }
  )
  const again = await press('eve', id, 'approve')
  assert.equal(again.status, 200)
  assert.equal((await press('eve', id, 'decline')).status, 409)
  await app.queues.idle('WEBHOOK')
  assert.equal(peer.received.length, 1)
  const [{ body, isSigned }] = peer.received as [WebhookPeer['received'][number]]
  assert.ok(isSigned)
  assert.equal(body.type, 'item.action')
  const { at, ...data } = body.data
  assert.ok(at)
  assert.deepEqual(data, {
    actionId: 'approve',
    parameters: { plan: 7 },
    trackingId: id,
    type: 'approval',
    userId: 'eve'
  })
})

test('a webhook that is refused has failed, and may be sent again', async () => {
  peer.received.length = 0
  peer.answers = [[409, { text: 'The plan was withdrawn.' }], [204]]
  const id = await send('fay', APPROVAL)
  await press('fay', id, 'decline')
  await app.queues.idle('WEBHOOK')
  const failed = await itemOf('fay')
  assert.equal(failed.outcome!.state, 'failed')
  assert.equal(failed.outcome!.text, 'The plan was withdrawn.')
  assert.ok(failed.actioned2)
  assert.equal((await press('fay', id, 'approve')).status, 200)
  await app.queues.idle('WEBHOOK')
  assert.equal((await itemOf('fay')).outcome!.state, 'done')
})

test('a webhook whose attempts were all lost has failed, and may be sent again', async () => {
  await using own = await openWebhookPeer(webhookKey(SECRET))
  await using stored = await testDb()
  const { db } = stored
  const env = { ...ALLOWED(own), NOTIF_CLIENT_ID: CLIENT, NOTIF_CLIENT_SECRET: SECRET }
  await using api = await openTestNode(db, { ...env, NOTIF_ROLE: 'api' })
  api.serve()
  await db.control`update environments set settings = settings || ${db.control.json({ webhook: { url: own.url } })}`
  const post = (path: string, body: unknown) =>
    fetch(`${api.base}/${CLIENT}${path}`, { body: JSON.stringify(body), headers: asBackEnd, method: 'POST' })
  const sent = await post('/sender', { inapp: APPROVAL, to: { id: 'lou' }, type: 'approval' })
  const { trackingId } = (await sent.json()) as { trackingId: string }
  const pressLou = () => post(`/users/lou/inbox/${trackingId}/actions/approve`, {})
  const outcome = async () => {
    const [row] = await db.control<{ state: string; code: string | null }[]>`
        select content -> 'outcome' ->> 'state' as state, (select code from dead_letters) as code
        from inbox_items where id = ${trackingId}`
    return { ...row! }
  }
  assert.equal((await pressLou()).status, 200)
  assert.deepEqual(await outcome(), { code: null, state: 'pending' })
  await db.control`update outbox set leased = true, attempts_left = 0 where queue = 'WEBHOOK'`
  await using worker = await openTestNode(db, env)
  await worker.node.queues.idle('WEBHOOK')
  assert.deepEqual(await outcome(), { code: 'lost', state: 'failed' })
  assert.equal(own.received.length, 0)
  assert.equal((await pressLou()).status, 200)
  worker.node.queues.wake(['WEBHOOK'])
  await worker.node.queues.idle('WEBHOOK')
  assert.deepEqual(await outcome(), { code: 'lost', state: 'done' })
})

test('the answer of a webhook does not replace a later outcome of the back end', async () => {
  peer.received.length = 0
  const answer = Promise.withResolvers<WebhookAnswer>()
  peer.answers = [answer.promise]
  const id = await send('gil', APPROVAL)
  await press('gil', id, 'approve')
  await peer.waitFor(1)
  const outcome = { actionId: 'approve', by: 'Mei Tanaka' }
  const updated = await ask('PATCH', `/users/gil/inbox/${id}`, { outcome })
  assert.equal((updated.json['outcome'] as { by: string }).by, 'Mei Tanaka')
  answer.resolve([200, { text: 'You approved this' }])
  await app.queues.idle('WEBHOOK')
  assert.equal((await itemOf('gil')).outcome!.by, 'Mei Tanaka')
})

test('a reply to an item with a field is sent to the back end too, once', async () => {
  peer.received.length = 0
  peer.answers = [[200]]
  const id = await send('hal', { reply: { label: 'Reply to Amara' }, title: 'Amara mentioned you' })
  const plain = await send('hal', { title: 'No field' })
  const reply = { date: '2026-11-20T04:34:37.557Z', message: 'Eight pixels.' }
  for (const trackingIds of [[id, plain], [id]]) {
    const patched = await ask('PATCH', '/users/hal/inbox', { reply, trackingIds }, asUser('hal'))
    assert.equal(patched.status, 200, patched.text)
  }
  await app.queues.idle('WEBHOOK')
  const own = peer.received.filter(({ body }) => body.data['userId'] === 'hal')
  assert.deepEqual(
    own.map(({ body }) => [body.type, body.data['trackingId'], body.data['message']]),
    [['item.reply', id, 'Eight pixels.']]
  )
})

test('an item without the button, and one whose button is for the page, send nothing', async () => {
  const id = await send('ida', { actions: [{ id: 'ask', label: 'Ask' }], title: 'T' })
  assert.equal((await press('ida', id, 'nothing')).status, 404)
  assert.equal((await press('ida', id, 'ask')).status, 409)
  assert.equal((await press('jan', id, 'ask', asUser('jan'))).status, 404)
  assert.equal((await press('ida', id, 'ask', asUser('jan'))).status, 401)
  await setWebhook(null)
  assert.equal((await press('ida', await send('ida', APPROVAL), 'approve')).status, 409)
  await setWebhook(peer.url)
})

test('a webhook survives a crash before and during its attempt, with the same id', async () => {
  await using own = await openWebhookPeer(webhookKey('secret-of-crash-env-1'))
  await using stored = await testDb()
  const { db } = stored
  const env = { ...ALLOWED(own), NOTIF_CLIENT_ID: CLIENT, NOTIF_CLIENT_SECRET: SECRET }
  await ensureEnvironment(db, TEST_ENCRYPTION, {
    id: 'crash',
    origins: [],
    secret: 'secret-of-crash-env-1',
    secureMode: false
  })
  await db.control`update environments set settings = settings || ${db.control.json({ webhook: { url: own.url } })} where id = 'crash'`
  const headers = { ...basic('crash:secret-of-crash-env-1'), 'content-type': 'application/json' }
  const post = (base: string, path: string, body: unknown) =>
    fetch(`${base}/crash${path}`, { body: JSON.stringify(body), headers, method: 'POST' })
  let id: string
  {
    // Its process stores the press and ends without a worker.
    await using api = await openTestNode(db, { ...env, NOTIF_ROLE: 'api' })
    api.serve()
    const sent = await post(api.base, '/sender', { inapp: APPROVAL, to: { id: 'kim' }, type: 'approval' })
    id = ((await sent.json()) as { trackingId: string }).trackingId
    assert.equal((await post(api.base, `/users/kim/inbox/${id}/actions/approve`, {})).status, 200)
  }
  assert.equal(own.received.length, 0)
  own.answers = [undefined, [200]]
  {
    await using worker = await openTestNode(db, env)
    assert.ok(worker)
    await own.waitFor(1)
  }
  {
    // Of the stopped attempt, nobody knows the answer.
    await db.groups[0]!.work`update outbox set run_at = now() where queue = 'WEBHOOK'`
    await using worker = await openTestNode(db, env)
    await own.waitFor(2)
    await worker.node.queues.idle('WEBHOOK')
  }
  assert.deepEqual(
    own.received.map(received => received.isSigned),
    [true, true]
  )
  assert.equal(new Set(own.received.map(received => received.id)).size, 1)
  const [row] = await db.groups[0]!.sql<{ state: string }[]>`
    select content -> 'outcome' ->> 'state' as state from inbox_items where id = ${id}`
  assert.equal(row!.state, 'done')
})

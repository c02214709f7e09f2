// The explanation of a send says what followed from its in-app notification: updates, webhooks, cancelled and delayed channels.

import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, test } from 'node:test'

import type { ChannelExplanation, Explanation } from '../../server/client/logs.ts'
import { NEW_ITEM } from '../../server/logs/delivery-facts.ts'
import { explainReadPush } from '../../server/logs/explain-closing.ts'
import { openWebhookPeer, type WebhookPeer } from '../inbox/updates/webhook-peer.ts'
import { asAdmin, asBackEnd, asUser, CLIENT, SECRET, startApp, type TestApp } from '../security/app.ts'

const NOW = new Date().toISOString()

let app: TestApp
let peer: WebhookPeer
before(async () => {
  peer = await openWebhookPeer(
    `whsec_${createHmac('sha256', SECRET).update('notif-kit/webhook').digest('base64')}`
  )
  app = await startApp({
    NOTIF_ALLOW_PRIVATE: '127.0.0.0/8',
    NOTIF_OUTBOUND_PORTS: String(peer.port)
  })
  const body = JSON.stringify({ webhook: { url: peer.url } })
  const set = await app.ask(`/environments/${CLIENT}`, { body, headers: asAdmin, method: 'PATCH' })
  assert.equal(set.status, 200, set.text)
})
after(async () => {
  await app[Symbol.asyncDispose]()
  await peer[Symbol.asyncDispose]()
})

async function call(method: string, path: string, body?: unknown, headers = asBackEnd) {
  const answer = await app.ask(`/${CLIENT}${path}`, {
    headers,
    method,
    ...(body !== undefined && { body: JSON.stringify(body) })
  })
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
  return answer.json
}

const send = async (userId: string, more: object): Promise<string> => {
  const to = { email: `${userId}@example.com`, id: userId }
  return String((await call('POST', '/sender', { to, type: 'approval', ...more }))['trackingId'])
}

const mark = (userId: string, id: string, marks: object) =>
  call('PATCH', `/users/${userId}/inbox`, { trackingIds: [id], ...marks }, asUser(userId))

const press = (userId: string, id: string, actionId: string) =>
  call('POST', `/users/${userId}/inbox/${id}/actions/${actionId}`, {}, asUser(userId))

async function explain(id: string): Promise<{ status: string; of(channel: string): ChannelExplanation }> {
  const { channels, status } = (await call('GET', `/logs/${id}/explain`)) as unknown as Explanation
  return { of: name => channels.find(({ channel }) => channel === name)!, status }
}

const statusFound = async (id: string): Promise<string | undefined> => {
  const { logs } = await call('POST', '/logs/query', { statusFilter: ['success'], trackingIds: [id] })
  return (logs as { status: string }[])[0]?.status
}

const APPROVAL = {
  inapp: {
    actions: [
      { id: 'approve', label: 'Approve', send: true },
      { id: 'decline', label: 'Decline', send: true }
    ],
    reply: { label: 'Reply' },
    title: 'Winter fares'
  }
}

test('updates in place: how often, when, which fields, and whether it became new', async () => {
  const id = await send('ada', { inapp: { title: 'Report' } })
  const path = `/users/ada/inbox/${id}`
  assert.equal((await explain(id)).of('INAPP_WEB').updates, undefined)
  await call('PATCH', path, { progress: { value: 0.2 } })
  const once = (await explain(id)).of('INAPP_WEB')
  assert.deepEqual(
    [once.updates!.count, once.updates!.fields, once.updates!.newAt],
    [1, ['progress'], undefined]
  )
  assert.match(once.explanation, /not opened yet\. The back end updated it once, at \S+Z \(progress\)\.$/)
  await call('PATCH', path, { body: 'Ready', notify: true, progress: { state: 'done' } })
  // The same content again is no update.
  await call('PATCH', path, { body: 'Ready' })
  await call('PATCH', path, { title: 'Report of May' })
  const { content, explanation, updates } = (await explain(id)).of('INAPP_WEB')
  assert.deepEqual([updates!.count, updates!.fields], [3, ['title']])
  assert.ok(updates!.newAt! < updates!.at)
  assert.match(
    explanation,
    /updated it 3 times, the last time at \S+Z \(title\), and became new again at \S+Z\.$/
  )
  assert.deepEqual(content, { subject: 'Report of May', text: 'Ready' })
})

test('what the user did: seen, read, archived and snoozed are four facts', async () => {
  const id = await send('abe', APPROVAL)
  await mark('abe', id, { seen: NOW })
  const { explanation: seen, openedAt, seenAt } = (await explain(id)).of('INAPP_WEB')
  assert.deepEqual([seenAt, openedAt], [NOW, undefined])
  assert.ok(seen.includes(`in the inbox, seen at ${NOW}, not opened yet.`), seen)
  const until = new Date(Date.now() + 3_600_000).toISOString()
  await mark('abe', id, { opened: NOW, snoozedUntil: until })
  const { explanation: read, openedAt: openedThen } = (await explain(id)).of('INAPP_WEB')
  assert.equal(openedThen, NOW)
  assert.ok(read.includes(`seen at ${NOW}, opened at ${NOW}, snoozed until ${until}.`), read)
  await mark('abe', id, { archived: NOW })
  const archived = (await explain(id)).of('INAPP_WEB').explanation
  assert.ok(archived.includes(`opened at ${NOW}, archived at ${NOW}.`), archived)
})

test('webhooks: every attempt until the back end takes it, without a trace in status and statistics', async () => {
  peer.answers = [[503], [200]]
  const id = await send('bea', APPROVAL)
  await press('bea', id, 'approve')
  await app.queues.idle('WEBHOOK')
  const waiting = await explain(id)
  assert.equal(waiting.status, 'success', 'a webhook that waits is not a delivery that waits')
  assert.equal(await statusFound(id), 'success')
  const [first] = waiting.of('INAPP_WEB').webhooks!
  assert.deepEqual(
    [first!.event, first!.actionId, first!.state, first!.attemptsLeft, first!.attempts.length],
    ['item.action', 'approve', 'waiting', 5, 1]
  )
  assert.match(
    first!.attempts[0]!.explanation,
    /^Attempt 1 at \S+Z failed and is repeated \(503: The back end/
  )
  await app.db.control`update outbox set run_at = now() where queue = 'WEBHOOK'`
  app.queues.wake(['WEBHOOK'])
  await app.queues.idle('WEBHOOK')
  const { of, status } = await explain(id)
  assert.equal(status, 'success')
  const [second] = of('INAPP_WEB').webhooks!
  assert.deepEqual(
    [second!.event, second!.actionId, second!.state, second!.attempts.map(({ outcome }) => outcome)],
    ['item.action', 'approve', 'sent', ['retry', 'sent']]
  )
  assert.match(
    of('INAPP_WEB').explanation,
    /first button pressed at \S+Z\. The button "approve" was pressed at \S+Z\. The back end accepted it at \S+Z, with attempt 2\.$/
  )
  assert.equal(peer.received.at(-1)!.id, second!.id)
  const counted = await app.db.control`
    select 1 from log_count_deltas where counts ? 'WEBHOOK' union all select 1 from log_counts where channel = 'WEBHOOK'`
  assert.equal(counted.length, 0)
})

test('webhooks: a refused one is a dead letter of the send, which keeps its status, and can be redriven', async () => {
  peer.answers = [[410], [204]]
  const id = await send('cas', APPROVAL)
  await press('cas', id, 'decline')
  await app.queues.idle('WEBHOOK')
  const failed = await explain(id)
  assert.equal(failed.status, 'success')
  assert.equal(await statusFound(id), 'success')
  const [letter] = failed.of('INAPP_WEB').webhooks!
  assert.deepEqual(
    [letter!.state, letter!.deadLetter, letter!.code, letter!.actionId],
    ['failed', true, '410', 'decline']
  )
  const { deadLetters } = await call('GET', '/dead-letters?channel=WEBHOOK&userId=cas')
  assert.deepEqual(
    (deadLetters as { id: string; trackingId: string }[]).map(one => [one.id, one.trackingId]),
    [[letter!.id, id]]
  )
  await call('POST', '/dead-letters/redrive', { ids: [letter!.id] })
  await app.queues.idle('WEBHOOK')
  const [redriven] = (await explain(id)).of('INAPP_WEB').webhooks!
  assert.deepEqual([redriven!.state, redriven!.deadLetter], ['sent', undefined])
})

test('webhooks: a reply is told without its text', async () => {
  peer.answers = [[200]]
  const id = await send('dee', APPROVAL)
  await mark('dee', id, { reply: { date: NOW, message: 'Eight pixels.' } })
  await app.queues.idle('WEBHOOK')
  const inApp = (await explain(id)).of('INAPP_WEB')
  assert.deepEqual(
    inApp.webhooks!.map(({ actionId, event, state }) => [event, actionId, state]),
    [['item.reply', undefined, 'sent']]
  )
  assert.match(inApp.explanation, /The user replied at \S+Z\. The back end accepted it at/)
  assert.ok(!JSON.stringify(inApp).includes('pixels'))
})

test('a delayed channel: until when it waits, why it was cancelled, and why it was sent', async () => {
  await call('PUT', '/notifications/invoice', {
    escalate: [{ after: '10m', channel: 'EMAIL', unless: 'read' }],
    templates: { email: { html: '<p>x</p>', subject: 'S' }, inapp: { title: 'Invoice' } }
  })
  const [read, unread] = [await send('eve', { type: 'invoice' }), await send('eve', { type: 'invoice' })]
  const waiting = (await explain(read)).of('EMAIL')
  assert.deepEqual([waiting.state, waiting.decision], ['scheduled', 'delayed'])
  assert.match(waiting.explanation, /waits until \S+Z, unless the in-app notification is read by then\./)
  await mark('eve', read, { opened: NOW })
  await app.db.control`update outbox set run_at = now() where queue = 'ESCALATE'`
  app.queues.wake(['ESCALATE'])
  await app.queues.idle('ESCALATE')
  await app.queues.idle('EMAIL')
  const cancelled = (await explain(read)).of('EMAIL')
  assert.deepEqual([cancelled.state, cancelled.decision], ['discarded', 'cancelled'])
  assert.equal(cancelled.explanation, `EMAIL was discarded: the in-app notification was read at ${NOW}.`)
  const sent = (await explain(unread)).of('EMAIL')
  assert.deepEqual([sent.state, sent.decision], ['sent', 'sent'])
  assert.match(
    sent.explanation,
    /^EMAIL: Its delay ended at \S+Z and the in-app notification was not read\. The provider/
  )
})

test('a held message: until when it waits, and that it was cancelled because the user read before', async () => {
  await call('PATCH', '/users/fay/preferences', { pause: { isOn: true } }, asUser('fay'))
  const id = await send('fay', { email: { html: '<p>x</p>', subject: 'S' }, inapp: { title: 'Hi' } })
  const held = (await explain(id)).of('EMAIL')
  assert.deepEqual([held.state, held.deliveries[0]!.state], ['held', 'held'])
  await mark('fay', id, { archived: NOW })
  const { of, status } = await explain(id)
  assert.equal(of('EMAIL').explanation, `EMAIL was discarded: the in-app notification was read at ${NOW}.`)
  assert.deepEqual([of('EMAIL').state, status], ['discarded', 'success'])
})

test('a web push: that browsers close it, after the notification was read', () => {
  const facts = { item: { ...NEW_ITEM, at: 0 } } as Parameters<typeof explainReadPush>[0]
  assert.deepEqual(explainReadPush(facts), [])
  const [sentence] = explainReadPush({ ...facts, item: { ...facts.item!, openedAt: new Date(NOW) } })
  assert.match(
    sentence!,
    new RegExp(`^The in-app notification was read at ${NOW}: a browser closes the push`)
  )
})

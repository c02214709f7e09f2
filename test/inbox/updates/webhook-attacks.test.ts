// Attacks on signed webhooks: addresses inside of the network, redirects, huge, slow and hostile answers, secrets and repeated presses.

import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'

import type { Notif } from '#protocol'

import { webhookSecret } from '../../../server/inbox/updates/webhook.ts'
import { openOutbound } from '../../../server/outbound/outbound.ts'
import {
  asAdmin,
  asBackEnd,
  asUser,
  CLIENT,
  OTHER_SECRET,
  SECRET,
  startApp,
  type TestApp
} from '../../security/app.ts'

interface Request {
  readonly path: string
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

let app: TestApp
let server: Server
let port = 0
const received: Request[] = []
/** Of the path `/hooks`. */
let answer: RequestListener

before(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    received.push({
      body: Buffer.concat(chunks).toString(),
      headers: request.headers,
      path: String(request.url)
    })
    if (request.url === '/hooks') await answer(request, response)
    else response.writeHead(200).end('{"text":"from inside"}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
  app = await startApp({ NOTIF_ALLOW_PRIVATE: '127.0.0.1/32', NOTIF_OUTBOUND_PORTS: String(port) })
})
after(async () => {
  await app[Symbol.asyncDispose]()
  server.closeAllConnections()
  server.close()
})

const setWebhook = (url: string) =>
  app.ask(`/environments/${CLIENT}`, {
    body: JSON.stringify({ webhook: { url } }),
    headers: asAdmin,
    method: 'PATCH'
  })

const ask = async (method: string, path: string, body: unknown, headers = asBackEnd) => {
  const answer = await app.ask(`/${CLIENT}${path}`, { body: JSON.stringify(body), headers, method })
  assert.ok(answer.status < 300, answer.text)
  return answer.json
}

const itemOf = async (user: string): Promise<Notif> => {
  const { json } = await app.ask(`/${CLIENT}/users/${user}/inbox`, { headers: asUser(user) })
  return (json['items'] as Notif[])[0]!
}

/** Presses the button of a new notification. @returns it after the attempt, with the attempt */
async function press(user: string) {
  received.length = 0
  const inapp = { actions: [{ id: 'approve', label: 'Approve', send: true }], title: 'T' }
  const { trackingId } = await ask('POST', '/sender', { inapp, to: { id: user }, type: 'approval' })
  await ask('POST', `/users/${user}/inbox/${trackingId}/actions/approve`, {}, asUser(user))
  await app.queues.idle('WEBHOOK')
  const [attempt] = await app.db.control<{ code: string | null; outcome: string }[]>`
    select outcome, code from attempts where send_id = ${String(trackingId)} and channel = 'WEBHOOK'`
  return { attempt: attempt!, item: await itemOf(user), trackingId: String(trackingId) }
}

for (const host of [
  '127.0.0.2',
  '[::1]',
  '[::ffff:127.0.0.2]',
  '169.254.169.254',
  '10.0.0.1',
  '0.0.0.0',
  '2130706434',
  '0x7f.2'
]) {
  test(`an address inside of the network is not called: ${host}`, async () => {
    const set = await setWebhook(`http://${host}:${port}/hooks`)
    if (set.status === 422) return
    answer = (_, response) => response.end('{}')
    const { attempt, item } = await press(`ssrf-${host.replaceAll(/\W/g, '-')}`)
    assert.deepEqual([attempt.outcome, attempt.code], ['dead', 'forbidden'])
    assert.equal(item.outcome!.state, 'failed')
    assert.equal(received.length, 0)
  })
}

for (const url of [
  'file:///etc/passwd',
  'gopher://127.0.0.1/x',
  'http://user:password@127.0.0.1/hooks',
  'javascript:alert(1)',
  '//127.0.0.1/hooks'
]) {
  test(`no address of a webhook: ${url}`, async () => {
    assert.equal((await setWebhook(url)).status, 422)
  })
}

for (const status of [301, 302, 307, 308]) {
  test(`a redirect is not followed: ${status}`, async () => {
    await setWebhook(`http://127.0.0.1:${port}/hooks`)
    answer = (_, response) =>
      response.writeHead(status, { location: `http://127.0.0.1:${port}/inside` }).end()
    const { attempt, item } = await press(`redirect-${status}`)
    assert.deepEqual(new Set(received.map(({ path }) => path)), new Set(['/hooks']))
    assert.equal(attempt.code, String(status))
    assert.equal(item.outcome!.state, 'pending', 'it is repeated later')
  })
}

test('an answer without an end is cut, and does not become an outcome', async () => {
  await setWebhook(`http://127.0.0.1:${port}/hooks`)
  let written = 0
  answer = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const more = (): void => {
      if (response.destroyed) return
      written += 65_536
      if (response.write('x'.repeat(65_536))) setImmediate(more)
      else response.once('drain', more)
    }
    more()
  }
  const { attempt, item } = await press('endless')
  assert.equal(attempt.outcome, 'retry')
  assert.equal(item.outcome!.state, 'pending')
  assert.ok(written < 50_000_000, `${written} bytes`)
})

test('an answer that never comes is given up', { timeout: 60_000 }, async () => {
  answer = () => {}
  const outbound = openOutbound({
    config: { allowPrivate: ['127.0.0.1/32'], outboundPorts: [port] },
    totalTimeoutMs: 200
  })
  const result = await outbound.request(`http://127.0.0.1:${port}/hooks`, { body: '{}', method: 'POST' })
  assert.deepEqual([result.ok, !result.ok && result.code], [false, 'timeout'])
})

for (const [name, body, expected] of [
  ['markup', JSON.stringify({ text: '<img src=x onerror=alert(1)>' }), '<img src=x onerror=alert(1)>'],
  ['a text of 10,000 characters', JSON.stringify({ text: 'x'.repeat(10_000) }), 'x'.repeat(200)],
  ['a text that is an object', '{"text":{"html":"<b>"}}', undefined],
  ['NUL and half of a character', JSON.stringify({ text: 'a\0b\ud800' }), 'ab\ufffd'],
  ['inherited members', '{"__proto__":{"text":"forged"}}', undefined],
  ['a state of its own', '{"state":"failed","by":"The director","actionId":"other"}', undefined],
  ['no JSON', '<html>', undefined]
] as const) {
  test(`an answer with ${name} is a plain, short text or none`, async () => {
    await setWebhook(`http://127.0.0.1:${port}/hooks`)
    answer = (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(body)
    const { item } = await press(`hostile-${name.replaceAll(/\W/g, '-')}`)
    const { at, ...outcome } = item.outcome!
    assert.ok(at)
    const text = expected === undefined ? {} : { text: expected }
    assert.deepEqual(outcome, { actionId: 'approve', state: 'done', ...text })
  })
}

test('the signature is that of this environment, and covers id, time and body', async () => {
  await setWebhook(`http://127.0.0.1:${port}/hooks`)
  answer = (_, response) => response.end('{}')
  const { trackingId } = await press('signed')
  const { body, headers } = received.find(one => one.body.includes(trackingId))!
  const [id, time] = [String(headers['webhook-id']), String(headers['webhook-timestamp'])]
  const sign = (secret: string, text: string): string =>
    `v1,${createHmac('sha256', Buffer.from(webhookSecret(secret).slice('whsec_'.length), 'base64'))
      .update(text)
      .digest('base64')}`
  const signatures = String(headers['webhook-signature']).split(' ')
  assert.ok(signatures.includes(sign(SECRET, `${id}.${time}.${body}`)))
  assert.ok(!signatures.includes(sign(OTHER_SECRET, `${id}.${time}.${body}`)))
  for (const altered of [
    `${id}.${time}.${body} `,
    `${id}.${Number(time) + 1}.${body}`,
    `x${id}.${time}.${body}`
  ]) {
    assert.ok(!signatures.includes(sign(SECRET, altered)))
  }
  assert.ok(Math.abs(Number(time) - Date.now() / 1000) < 60, 'a receiver can refuse a replay by its age')
  assert.ok(!JSON.stringify([body, headers]).includes(SECRET))
})

test('a press that is replayed many times at once calls the back end once', async () => {
  await setWebhook(`http://127.0.0.1:${port}/hooks`)
  answer = (_, response) => response.end('{}')
  const { trackingId } = await press('replayed')
  const path = `/${CLIENT}/users/replayed/inbox/${trackingId}/actions/approve`
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      app.ask(path, { body: '{}', headers: asUser('replayed'), method: 'POST' })
    )
  )
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  await app.queues.idle('WEBHOOK')
  // Those of earlier tests are repeated meanwhile.
  assert.equal(received.filter(({ body }) => body.includes(trackingId)).length, 1)
})

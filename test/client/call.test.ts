// One call of the client against a fake server that answers badly: retries, time-outs, aborts and errors.

import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'

import { createClient, NotifProblem, NotifUnreachable, type Patience } from '../../server/client/index.ts'
import { backoffMs, retryAfterMs } from '../../server/client/retry.ts'
import { hangUp, json, openPeer, silence, text, type Peer, type Reply } from './peer.ts'

const SEND = { inapp: { title: 'Hello' }, to: { id: 'u1' }, type: 'greeting' }
const GOOD = json(200, { messages: [], trackingId: 't1' })

/** For tests that would wait for ever if they failed. */
const TIMED = { timeout: 20_000 }

const clientOf = ({ url }: Peer, patience: Patience = {}) =>
  createClient({ baseURL: url, clientId: 'app', clientSecret: 'geheimniß', ...patience })

const idempotencyKeys = ({ requests }: Peer) => requests.map(({ headers }) => headers['idempotency-key'])

test('sends credentials, body and an idempotency key', async () => {
  await using peer = await openPeer(GOOD)
  assert.deepEqual(await clientOf(peer).send(SEND), { messages: [], trackingId: 't1' })
  const [{ method, url, headers, body }] = peer.requests as [Peer['requests'][0]]
  assert.equal(`${method} ${url}`, 'POST /app/sender')
  assert.equal(headers.authorization, `Basic ${Buffer.from('app:geheimniß').toString('base64')}`)
  assert.equal(headers['content-type'], 'application/json')
  assert.match(String(headers['idempotency-key']), /^[0-9a-f-]{36}$/)
  assert.deepEqual(JSON.parse(body), SEND)
})

test('accepts a base address with a path and trailing slashes', async () => {
  await using peer = await openPeer(GOOD)
  const baseURL = `${peer.url}/notify//`
  await createClient({ baseURL, clientId: 'app', clientSecret: 's' }).send(SEND)
  assert.equal(peer.requests[0]!.url, '/notify/app/sender')
})

for (const [name, bad] of [
  ['429', text(429, '')],
  ['502 of a proxy', text(502, '<h1>Bad gateway</h1>')],
  ['503', json(503, {})],
  ['504', text(504, '')],
  ['a closed connection', hangUp],
  ['half an answer', text(200, '{"trackingId"')],
  [
    'fewer bytes than promised',
    response => void response.writeHead(200, { 'content-length': '50' }).write('{}', () => response.destroy())
  ]
] as const satisfies readonly (readonly [string, Reply])[]) {
  test(`repeats the same request after ${name}`, async () => {
    await using peer = await openPeer(bad, bad, GOOD)
    assert.equal((await clientOf(peer).send(SEND)).trackingId, 't1')
    assert.equal(peer.requests.length, 3)
    assert.equal(new Set(idempotencyKeys(peer)).size, 1)
    assert.equal(new Set(peer.requests.map(({ body }) => body)).size, 1)
  })
}

test('two calls have different idempotency keys', async () => {
  await using peer = await openPeer(GOOD)
  const client = clientOf(peer)
  await client.send(SEND)
  await client.send(SEND)
  assert.equal(new Set(idempotencyKeys(peer)).size, 2)
  await client.send(SEND, { idempotencyKey: 'mine' })
  assert.equal(idempotencyKeys(peer)[2], 'mine')
})

test('waits as long as Retry-After says', async () => {
  await using peer = await openPeer(json(429, {}, { 'retry-after': '1' }), GOOD)
  await clientOf(peer).send(SEND)
  const [first, second] = peer.requests as [Peer['requests'][0], Peer['requests'][0]]
  assert.ok(second.at - first.at >= 990, `waited ${second.at - first.at} ms`)
})

test('fails at once if Retry-After is longer than the time that is left', async () => {
  await using peer = await openPeer(json(503, { detail: 'Later.' }, { 'retry-after': '3600' }))
  const started = Date.now()
  await assert.rejects(clientOf(peer).send(SEND), (error: NotifProblem) => error.status === 503)
  assert.ok(Date.now() - started < 30_000)
  assert.equal(peer.requests.length, 1)
})

test('throws a refusal with all fields of the problem and does not repeat the request', async () => {
  const body = {
    detail: '1 field is wrong.',
    errors: [{ detail: 'This field is required.', pointer: '#/to' }],
    messages: ['#/to: This field is required.'],
    status: 422,
    title: 'The request does not fit the schema.',
    type: '/problems#invalid-request'
  }
  await using peer = await openPeer(json(422, body, { 'x-request-id': 'r1' }))
  await assert.rejects(clientOf(peer).send(SEND), (error: unknown) => {
    assert.ok(error instanceof NotifProblem)
    const { type, title, status, detail, errors, messages, requestId, attempts } = error
    assert.deepEqual({ detail, errors, messages, status, title, type }, body)
    assert.equal(requestId, 'r1')
    assert.equal(attempts, 1)
    assert.equal(error.message, '422: #/to: This field is required.')
    return true
  })
  assert.equal(peer.requests.length, 1)
})

test('throws a problem for an error response that is not a problem document', async () => {
  await using peer = await openPeer(text(403, '<h1>Not from here</h1>'))
  await assert.rejects(clientOf(peer).send(SEND), {
    detail: '<h1>Not from here</h1>',
    errors: [],
    name: 'NotifProblem',
    status: 403,
    type: 'about:blank'
  })
})

test('does not follow a redirect, because that would lose the body', async () => {
  await using peer = await openPeer(text(301, '', { location: '/elsewhere' }), GOOD)
  await assert.rejects(clientOf(peer).send(SEND), { name: 'NotifProblem', status: 301 })
  assert.equal(peer.requests.length, 1)
})

test('limits the time of each attempt and of the call if the server does not answer', async () => {
  await using peer = await openPeer(silence)
  const client = clientOf(peer, { attemptTimeout: 200, timeout: 1500 })
  const started = Date.now()
  await assert.rejects(client.send(SEND, { idempotencyKey: 'k' }), (error: unknown) => {
    assert.ok(error instanceof NotifUnreachable)
    assert.equal(error.timedOut, true)
    assert.equal(error.idempotencyKey, 'k')
    assert.equal(error.attempts, peer.requests.length)
    assert.ok(!error.message.includes('geheim'))
    return true
  })
  const durationMs = Date.now() - started
  assert.ok(peer.requests.length >= 2, `${peer.requests.length} requests`)
  assert.ok(durationMs < 3000, `took ${durationMs} ms`)
})

test('an erasure has time-outs of its own, unless the call sets others', async () => {
  const done = json(200, { redacted: {}, removed: {} })
  await using peer = await openPeer((...exchange) => void setTimeout(() => done(...exchange), 300))
  const short = { attemptTimeout: 50, timeout: 100 }
  const client = clientOf(peer, short)
  assert.deepEqual(await client.eraseUser('u1'), { redacted: {}, removed: {} })
  await assert.rejects(client.eraseUser('u1', short), { name: 'NotifUnreachable', timedOut: true })
})

test('limits the time of an answer that never ends', async () => {
  await using peer = await openPeer(response => void response.writeHead(200).write('{"a":'))
  const client = clientOf(peer, { attemptTimeout: 200, retries: 0 })
  await assert.rejects(client.send(SEND), { name: 'NotifUnreachable', timedOut: true })
})

test('uses the default for a setting that is undefined', TIMED, async () => {
  await using peer = await openPeer(json(503, {}), GOOD)
  // Programs without strict types may pass undefined.
  const unset: object = { attemptTimeout: undefined, retries: undefined, timeout: undefined }
  assert.equal((await clientOf(peer, unset).send(SEND)).trackingId, 't1')
})

test('names the reason of a failed connection in the message', async () => {
  const peer = await openPeer(GOOD)
  await peer[Symbol.asyncDispose]()
  await assert.rejects(clientOf(peer, { retries: 1 }).send(SEND), {
    attempts: 2,
    message: /ECONNREFUSED.*\(2 attempts\)/,
    timedOut: false
  })
})

test('an aborted call throws the reason of its signal, also between two attempts', async () => {
  await using peer = await openPeer(json(503, {}, { 'retry-after': '20' }))
  const reason = new Error('shutting down')
  const controller = new AbortController()
  const sending = clientOf(peer).send(SEND, { signal: controller.signal })
  const waiting = assert.rejects(sending, reason)
  while (peer.requests.length === 0) await new Promise(resolve => setImmediate(resolve))
  controller.abort(reason)
  await waiting
  const aborted = AbortSignal.abort(reason)
  await assert.rejects(clientOf(peer).send(SEND, { signal: aborted }), reason)
  assert.equal(peer.requests.length, 1)
})

test('an abort during an attempt throws at once and closes the connection', TIMED, async () => {
  const closed = Promise.withResolvers<void>()
  await using peer = await openPeer(response => void response.once('close', () => closed.resolve()))
  const reason = new Error('shutting down')
  const controller = new AbortController()
  const client = clientOf(peer, { attemptTimeout: 60_000, retries: 0, timeout: 60_000 })
  const sending = client.send(SEND, { signal: controller.signal })
  const rejected = assert.rejects(sending, reason)
  while (peer.requests.length === 0) await new Promise(resolve => setImmediate(resolve))
  controller.abort(reason)
  await Promise.all([rejected, closed.promise])
  assert.equal(peer.requests.length, 1)
})

test('a deletion whose answer was lost succeeds if the next attempt gets 404', async () => {
  const gone = json(404, { type: '/problems#not-found' })
  // After these statuses it is unknown whether the deletion was applied.
  for (const answer of [hangUp, json(502, {}), json(503, {}), json(504, {})]) {
    await using lost = await openPeer(answer, gone)
    await clientOf(lost).deleteType('a')
  }
  await using limited = await openPeer(json(429, {}), gone)
  await assert.rejects(clientOf(limited).deleteType('a'), { status: 404 })
  await using never = await openPeer(gone)
  await assert.rejects(clientOf(never).deleteType('a'), { status: 404 })
})

test('encodes ids and refuses ids that would name another path', async () => {
  await using peer = await openPeer(json(200, {}))
  const client = clientOf(peer)
  await client.getUser('a/b?c#d:é %')
  assert.equal(peer.requests[0]!.url, '/app/users/a%2Fb%3Fc%23d%3A%C3%A9%20%25')
  for (const id of ['', '.', '..']) {
    await assert.rejects(client.getUser(id), TypeError)
    await assert.rejects(client.deleteType(id), TypeError)
  }
  assert.equal(peer.requests.length, 1)
})

test('yields lines as they arrive, whatever the chunks', async () => {
  await using peer = await openPeer(async response => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    const bytes = Buffer.from('{"a":"é"}\n{"b":2}\n\n{"c":3}')
    for (const byte of bytes) {
      response.write(Buffer.of(byte))
      await new Promise(resolve => setImmediate(resolve))
    }
    response.end()
  })
  const lines: unknown[] = []
  for await (const line of clientOf(peer).exportUser('u1')) lines.push(line)
  assert.deepEqual(lines, [{ a: 'é' }, { b: 2 }, { c: 3 }])
})

test('throws if the answer ends in the middle of the lines', async () => {
  await using peer = await openPeer(response => {
    response.writeHead(200, { 'content-length': '100' }).write('{"a":1}\n{"b"', () => response.destroy())
  })
  const lines: unknown[] = []
  await assert.rejects(
    async () => {
      for await (const line of clientOf(peer).exportUser('u1')) lines.push(line)
    },
    { name: 'NotifUnreachable' }
  )
  assert.deepEqual(lines, [{ a: 1 }])
})

const oneLineAndNoEnd = () => {
  const closed = Promise.withResolvers<void>()
  const reply: Reply = response => {
    response.once('close', () => closed.resolve())
    response.writeHead(200).write('{"a":1}\n')
  }
  return { closed: closed.promise, reply }
}

test('leaving the loop over lines closes the connection', TIMED, async () => {
  const { closed, reply } = oneLineAndNoEnd()
  await using peer = await openPeer(reply)
  for await (const line of clientOf(peer).exportUser('u1')) {
    assert.deepEqual(line, { a: 1 })
    break
  }
  await closed
})

test(
  'an abort between two lines throws the reason of the signal and closes the connection',
  TIMED,
  async () => {
    const { closed, reply } = oneLineAndNoEnd()
    await using peer = await openPeer(reply)
    const reason = new Error('shutting down')
    const controller = new AbortController()
    const lines = clientOf(peer).exportUser('u1', { signal: controller.signal })
    assert.deepEqual((await lines.next()).value, { a: 1 })
    const rejected = assert.rejects(lines.next(), reason)
    controller.abort(reason)
    await Promise.all([rejected, closed])
  }
)

test('an abort after the connection broke causes no unhandled rejection', async () => {
  const broken = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array>>()
  const body = new ReadableStream<Uint8Array>({
    start(stream) {
      stream.enqueue(Buffer.from('{"a":1}\n'))
      broken.resolve(stream)
    }
  })
  const client = createClient({
    baseURL: 'http://127.0.0.1',
    clientId: 'app',
    clientSecret: 's',
    fetch: async () => new Response(body)
  })
  const controller = new AbortController()
  const lines = client.exportUser('u1', { signal: controller.signal })
  assert.deepEqual((await lines.next()).value, { a: 1 })
  const stream = await broken.promise
  stream.error(new Error('reset'))
  controller.abort(new Error('shutting down'))
  // An unhandled second error would end the process of this test.
  await assert.rejects(lines.next(), { name: 'NotifUnreachable' })
})

test('removes its listeners from the signal of the caller', async () => {
  await using peer = await openPeer(json(502, {}), GOOD, text(200, '{"a":1}\n'))
  const { signal } = new AbortController()
  await clientOf(peer).send(SEND, { signal })
  assert.equal(getEventListeners(signal, 'abort').length, 0)
  for await (const line of clientOf(peer).exportUser('u1', { signal })) assert.deepEqual(line, { a: 1 })
  assert.equal(getEventListeners(signal, 'abort').length, 0)
})

test('refuses an invalid base address or client id at once', () => {
  const settings = { clientId: 'app', clientSecret: 's' }
  for (const baseURL of ['', 'notify.example.com', 'ftp://a', 'http://a/?b=c', 'http://a/#b']) {
    assert.throws(() => createClient({ ...settings, baseURL }), TypeError, baseURL)
  }
  assert.throws(() => createClient({ ...settings, baseURL: 'http://a', clientId: '..' }), TypeError)
})

test('Retry-After is seconds or a date', () => {
  const now = Date.parse('2026-11-20T10:00:00Z')
  assert.equal(retryAfterMs(null, now), undefined)
  assert.equal(retryAfterMs('', now), undefined)
  assert.equal(retryAfterMs('soon', now), undefined)
  assert.equal(retryAfterMs('0', now), 0)
  assert.equal(retryAfterMs(' 7 ', now), 7000)
  assert.equal(retryAfterMs('Fri, 20 Nov 2026 10:00:30 GMT', now), 30_000)
  assert.equal(retryAfterMs('Fri, 20 Nov 2026 09:00:00 GMT', now), 0)
})

test('the delay doubles up to its maximum, with a random share', () => {
  assert.deepEqual(
    [1, 2, 3, 6, 50].map(attempts => backoffMs(attempts, 1)),
    [250, 500, 1000, 8000, 8000]
  )
  assert.deepEqual(
    [1, 2].map(attempts => backoffMs(attempts, 0)),
    [125, 250]
  )
})

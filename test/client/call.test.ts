// One call of the client against a peer that answers badly: what is asked again, when it gives up, what it throws.

import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'

import { createClient, NotifProblem, NotifUnreachable, type Patience } from '../../server/client/index.ts'
import { backoff, retryAfter } from '../../server/client/retry.ts'
import { hangUp, json, openPeer, silence, text, type Peer, type Reply } from './peer.ts'

const SEND = { inapp: { title: 'Hello' }, to: { id: 'u1' }, type: 'greeting' }
const GOOD = json(200, { messages: [], trackingId: 't1' })

/** Of what would else wait for ever. */
const TIMED = { timeout: 20_000 }

const clientOf = ({ url }: Peer, patience: Patience = {}) =>
  createClient({ baseURL: url, clientId: 'app', clientSecret: 'geheimniß', ...patience })

const keysOf = ({ asked }: Peer) => asked.map(({ headers }) => headers['idempotency-key'])

test('a request says who it is, what it wants and which deed it is', async () => {
  await using peer = await openPeer(GOOD)
  assert.deepEqual(await clientOf(peer).send(SEND), { messages: [], trackingId: 't1' })
  const [{ method, url, headers, body }] = peer.asked as [Peer['asked'][0]]
  assert.equal(`${method} ${url}`, 'POST /app/sender')
  assert.equal(headers.authorization, `Basic ${Buffer.from('app:geheimniß').toString('base64')}`)
  assert.equal(headers['content-type'], 'application/json')
  assert.match(String(headers['idempotency-key']), /^[0-9a-f-]{36}$/)
  assert.deepEqual(JSON.parse(body), SEND)
})

test('a base with a path, and with slashes at its end', async () => {
  await using peer = await openPeer(GOOD)
  const baseURL = `${peer.url}/notify//`
  await createClient({ baseURL, clientId: 'app', clientSecret: 's' }).send(SEND)
  assert.equal(peer.asked[0]!.url, '/notify/app/sender')
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
  test(`after ${name} the same deed is asked again`, async () => {
    await using peer = await openPeer(bad, bad, GOOD)
    assert.equal((await clientOf(peer).send(SEND)).trackingId, 't1')
    assert.equal(peer.asked.length, 3)
    assert.equal(new Set(keysOf(peer)).size, 1)
    assert.equal(new Set(peer.asked.map(({ body }) => body)).size, 1)
  })
}

test('two calls are two deeds', async () => {
  await using peer = await openPeer(GOOD)
  const client = clientOf(peer)
  await client.send(SEND)
  await client.send(SEND)
  assert.equal(new Set(keysOf(peer)).size, 2)
  await client.send(SEND, { idempotencyKey: 'mine' })
  assert.equal(keysOf(peer)[2], 'mine')
})

test('it waits as long as it is told', async () => {
  await using peer = await openPeer(json(429, {}, { 'retry-after': '1' }), GOOD)
  await clientOf(peer).send(SEND)
  const [first, second] = peer.asked as [Peer['asked'][0], Peer['asked'][0]]
  assert.ok(second.at - first.at >= 990, `waited ${second.at - first.at} ms`)
})

test('being told to wait longer than there is time ends it at once', async () => {
  await using peer = await openPeer(json(503, { detail: 'Later.' }, { 'retry-after': '3600' }))
  const started = Date.now()
  await assert.rejects(clientOf(peer).send(SEND), (error: NotifProblem) => error.status === 503)
  assert.ok(Date.now() - started < 5000)
  assert.equal(peer.asked.length, 1)
})

test('a refusal is thrown with all that was said, and not asked again', async () => {
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
  assert.equal(peer.asked.length, 1)
})

test('what is no problem document is still a problem', async () => {
  await using peer = await openPeer(text(403, '<h1>Not from here</h1>'))
  await assert.rejects(clientOf(peer).send(SEND), {
    detail: '<h1>Not from here</h1>',
    errors: [],
    name: 'NotifProblem',
    status: 403,
    type: 'about:blank'
  })
})

test('a redirection is not followed, because it would lose the body', async () => {
  await using peer = await openPeer(text(301, '', { location: '/elsewhere' }), GOOD)
  await assert.rejects(clientOf(peer).send(SEND), { name: 'NotifProblem', status: 301 })
  assert.equal(peer.asked.length, 1)
})

test('a peer that stays silent: each try has its time, and all of them together', async () => {
  await using peer = await openPeer(silence)
  const client = clientOf(peer, { attemptTimeout: 200, timeout: 1500 })
  const started = Date.now()
  await assert.rejects(client.send(SEND, { idempotencyKey: 'k' }), (error: unknown) => {
    assert.ok(error instanceof NotifUnreachable)
    assert.equal(error.timedOut, true)
    assert.equal(error.idempotencyKey, 'k')
    assert.equal(error.attempts, peer.asked.length)
    assert.ok(!error.message.includes('geheim'))
    return true
  })
  const took = Date.now() - started
  assert.ok(peer.asked.length >= 2, `asked ${peer.asked.length} times`)
  assert.ok(took < 3000, `took ${took} ms`)
})

test('an erasure has a time of its own, unless its caller says another', async () => {
  const done = json(200, { removed: {} })
  await using peer = await openPeer((...asked) => void setTimeout(() => done(...asked), 300))
  const short = { attemptTimeout: 50, timeout: 100 }
  const client = clientOf(peer, short)
  assert.deepEqual(await client.eraseUser('u1'), { removed: {} })
  await assert.rejects(client.eraseUser('u1', short), { name: 'NotifUnreachable', timedOut: true })
})

test('an answer that never ends has the same time', async () => {
  await using peer = await openPeer(response => void response.writeHead(200).write('{"a":'))
  const client = clientOf(peer, { attemptTimeout: 200, retries: 0 })
  await assert.rejects(client.send(SEND), { name: 'NotifUnreachable', timedOut: true })
})

test('a setting that is there and undefined is the default', TIMED, async () => {
  await using peer = await openPeer(json(503, {}), GOOD)
  // As a program without strict types may say it.
  const unsaid: object = { attemptTimeout: undefined, retries: undefined, timeout: undefined }
  assert.equal((await clientOf(peer, unsaid).send(SEND)).trackingId, 't1')
})

test('nobody listens: the reason is in the message', async () => {
  const peer = await openPeer(GOOD)
  await peer[Symbol.asyncDispose]()
  await assert.rejects(clientOf(peer, { retries: 1 }).send(SEND), {
    attempts: 2,
    message: /ECONNREFUSED.*\(2 tries\)/,
    timedOut: false
  })
})

test('a caller who gives up is told his own reason, also while it waits', async () => {
  await using peer = await openPeer(json(503, {}, { 'retry-after': '20' }))
  const reason = new Error('shutting down')
  const controller = new AbortController()
  const sending = clientOf(peer).send(SEND, { signal: controller.signal })
  const waiting = assert.rejects(sending, reason)
  while (peer.asked.length === 0) await new Promise(resolve => setImmediate(resolve))
  controller.abort(reason)
  await waiting
  const gone = AbortSignal.abort(reason)
  await assert.rejects(clientOf(peer).send(SEND, { signal: gone }), reason)
  assert.equal(peer.asked.length, 1)
})

test(
  'a caller who gives up while the server is silent is told so at once, and the server sees it go',
  TIMED,
  async () => {
    const left = Promise.withResolvers<void>()
    await using peer = await openPeer(response => void response.once('close', () => left.resolve()))
    const reason = new Error('shutting down')
    const controller = new AbortController()
    const client = clientOf(peer, { attemptTimeout: 60_000, retries: 0, timeout: 60_000 })
    const sending = client.send(SEND, { signal: controller.signal })
    const told = assert.rejects(sending, reason)
    while (peer.asked.length === 0) await new Promise(resolve => setImmediate(resolve))
    controller.abort(reason)
    await Promise.all([told, left.promise])
    assert.equal(peer.asked.length, 1)
  }
)

test('a deletion whose answer was lost is done when nothing is there any more', async () => {
  const gone = json(404, { type: '/problems#not-found' })
  // A server that says 503, or a proxy, does not know what became of it either.
  for (const answer of [hangUp, json(502, {}), json(503, {}), json(504, {})]) {
    await using lost = await openPeer(answer, gone)
    await clientOf(lost).deleteType('a')
  }
  await using limited = await openPeer(json(429, {}), gone)
  await assert.rejects(clientOf(limited).deleteType('a'), { status: 404 })
  await using never = await openPeer(gone)
  await assert.rejects(clientOf(never).deleteType('a'), { status: 404 })
})

test('ids are encoded, and those that would name another path are refused', async () => {
  await using peer = await openPeer(json(200, {}))
  const client = clientOf(peer)
  await client.getUser('a/b?c#d:é %')
  assert.equal(peer.asked[0]!.url, '/app/users/a%2Fb%3Fc%23d%3A%C3%A9%20%25')
  for (const id of ['', '.', '..']) {
    await assert.rejects(client.getUser(id), TypeError)
    await assert.rejects(client.deleteType(id), TypeError)
  }
  assert.equal(peer.asked.length, 1)
})

test('lines are handed out as they come, whatever the pieces', async () => {
  await using peer = await openPeer(async response => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    const bytes = Buffer.from('{"a":"é"}\n{"b":2}\n\n{"c":3}')
    for (const byte of bytes) {
      response.write(Buffer.of(byte))
      await new Promise(resolve => setImmediate(resolve))
    }
    response.end()
  })
  const got: unknown[] = []
  for await (const line of clientOf(peer).exportUser('u1')) got.push(line)
  assert.deepEqual(got, [{ a: 'é' }, { b: 2 }, { c: 3 }])
})

test('lines that end too early are not taken for all of them', async () => {
  await using peer = await openPeer(response => {
    response.writeHead(200, { 'content-length': '100' }).write('{"a":1}\n{"b"', () => response.destroy())
  })
  const got: unknown[] = []
  await assert.rejects(
    async () => {
      for await (const line of clientOf(peer).exportUser('u1')) got.push(line)
    },
    { name: 'NotifUnreachable' }
  )
  assert.deepEqual(got, [{ a: 1 }])
})

const oneLineAndNoEnd = () => {
  const left = Promise.withResolvers<void>()
  const reply: Reply = response => {
    response.once('close', () => left.resolve())
    response.writeHead(200).write('{"a":1}\n')
  }
  return { left: left.promise, reply }
}

test('whoever leaves a loop of lines hangs up', TIMED, async () => {
  const { left, reply } = oneLineAndNoEnd()
  await using peer = await openPeer(reply)
  for await (const line of clientOf(peer).exportUser('u1')) {
    assert.deepEqual(line, { a: 1 })
    break
  }
  await left
})

test(
  'lines that are given up end with the reason of their caller, and the server sees it go',
  TIMED,
  async () => {
    const { left, reply } = oneLineAndNoEnd()
    await using peer = await openPeer(reply)
    const reason = new Error('shutting down')
    const controller = new AbortController()
    const lines = clientOf(peer).exportUser('u1', { signal: controller.signal })
    assert.deepEqual((await lines.next()).value, { a: 1 })
    const told = assert.rejects(lines.next(), reason)
    controller.abort(reason)
    await Promise.all([told, left])
  }
)

test('giving up lines whose connection broke in the meantime ends nothing but them', async () => {
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
  // Not heard of by anybody, a second error would be the end of the process.
  await assert.rejects(lines.next(), { name: 'NotifUnreachable' })
})

test('a call leaves nothing at a signal that lives as long as its process', async () => {
  await using peer = await openPeer(json(502, {}), GOOD, text(200, '{"a":1}\n'))
  const { signal } = new AbortController()
  await clientOf(peer).send(SEND, { signal })
  assert.equal(getEventListeners(signal, 'abort').length, 0)
  for await (const line of clientOf(peer).exportUser('u1', { signal })) assert.deepEqual(line, { a: 1 })
  assert.equal(getEventListeners(signal, 'abort').length, 0)
})

test('addresses that cannot be one are refused at once', () => {
  const settings = { clientId: 'app', clientSecret: 's' }
  for (const baseURL of ['', 'notify.example.com', 'ftp://a', 'http://a/?b=c', 'http://a/#b']) {
    assert.throws(() => createClient({ ...settings, baseURL }), TypeError, baseURL)
  }
  assert.throws(() => createClient({ ...settings, baseURL: 'http://a', clientId: '..' }), TypeError)
})

test('Retry-After is seconds or a date', () => {
  const now = Date.parse('2026-11-20T10:00:00Z')
  assert.equal(retryAfter(null, now), undefined)
  assert.equal(retryAfter('', now), undefined)
  assert.equal(retryAfter('soon', now), undefined)
  assert.equal(retryAfter('0', now), 0)
  assert.equal(retryAfter(' 7 ', now), 7000)
  assert.equal(retryAfter('Fri, 20 Nov 2026 10:00:30 GMT', now), 30_000)
  assert.equal(retryAfter('Fri, 20 Nov 2026 09:00:00 GMT', now), 0)
})

test('the wait grows, with a share of chance, up to its most', () => {
  assert.deepEqual(
    [1, 2, 3, 6, 50].map(tries => backoff(tries, 1)),
    [250, 500, 1000, 8000, 8000]
  )
  assert.deepEqual(
    [1, 2].map(tries => backoff(tries, 0)),
    [125, 250]
  )
})

// Commands against a real HTTP server.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'

import { TransportError, type Address, type Transport } from '../../components/store/transport.ts'
import { httpCommands } from '../../components/transport/http.ts'

const PAGE = { counts: { snoozed: 0, unarchived: 0, unopened: 0, unseen: 0 }, items: [], version: 7 }
const CHANGE = {
  counts: { snoozed: 0, unarchived: 0, unopened: 0, unseen: 0 },
  items: [],
  prev: 7,
  removed: [],
  version: 8
}

interface ReceivedRequest {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

type Answer = (response: ServerResponse, tries: number) => void

const json =
  (body: unknown, status = 200): Answer =>
  response =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

async function startPeer(answer: Answer, address: Partial<Address> = {}) {
  const seen: ReceivedRequest[] = []
  let forgotten = 0
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += String(piece)
    seen.push({ body, headers: request.headers, method: request.method, url: request.url })
    answer(response, seen.length)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const commands: Omit<Transport, 'connect'> = httpCommands({
    address: { apiUrl, clientId: 'client', userId: 'u1', ...address },
    // No wait between attempts.
    environment: { after: (_, callback) => (setImmediate(callback), () => {}) },
    forgetHash: () => forgotten++,
    getHash: async () => address.userHash ?? 'aGFzaA=='
  })
  return {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
    commands,
    get forgotten() {
      return forgotten
    },
    seen
  }
}

const credentials = ({ headers }: ReceivedRequest): string =>
  Buffer.from(headers.authorization!.replace(/^Basic /, ''), 'base64').toString()

test('requests a page with credentials, count and cursor', async () => {
  await using s = await startPeer(json(PAGE))
  assert.deepEqual(await s.commands.getPage(25, 'a+b/c='), PAGE)
  const [call] = s.seen
  assert.equal(call!.method, 'GET')
  assert.equal(call!.url, '/client/users/u1/inbox?count=25&cursor=a%2Bb%2Fc%3D')
  assert.equal(credentials(call!), 'client:u1:aGFzaA==')
})

test('escapes ids in the path and encodes them as UTF-8 in the credentials', async () => {
  const userId = 'jürgen/名前:%?#😀'
  await using s = await startPeer(json(CHANGE), { userId })
  await s.commands.getChanges(7)
  const [call] = s.seen
  assert.equal(decodeURIComponent(call!.url!.split('/')[3]!), userId)
  assert.equal(call!.url!.split('/').slice(4).join('/'), 'inbox/changes?since=7')
  assert.equal(credentials(call!), `client:${userId}:aGFzaA==`)
})

test('credentials without a hash have two parts', async () => {
  await using s = await startPeer(json(PAGE), { userHash: '' })
  await s.commands.getPage(1)
  assert.equal(credentials(s.seen[0]!), 'client:u1')
})

test('sends a patch again with the same key', async () => {
  await using s = await startPeer((response, tries) => {
    if (tries === 1) response.destroy()
    else if (tries === 2) json({ message: 'starting' }, 503)(response, tries)
    else json(CHANGE)(response, tries)
  })
  assert.deepEqual(await s.commands.patch({ opened: '2026-11-20T00:00:00.000Z', trackingIds: ['a'] }), CHANGE)
  assert.equal(s.seen.length, 3)
  const keys = new Set(s.seen.map(call => call.headers['idempotency-key']))
  assert.equal(keys.size, 1)
  assert.match([...keys][0] as string, /^\d+-\d+-\d+-\d+$/)
  assert.equal(s.seen[2]!.method, 'PATCH')
  assert.equal(s.seen[2]!.url, '/client/users/u1/inbox')
  assert.deepEqual(JSON.parse(s.seen[2]!.body), { opened: '2026-11-20T00:00:00.000Z', trackingIds: ['a'] })
  await s.commands.patch({ opened: null, trackingIds: ['a'] })
  assert.notEqual(s.seen[3]!.headers['idempotency-key'], s.seen[2]!.headers['idempotency-key'])
})

test('does not repeat a refused request, and rejects with the text of the server', async () => {
  await using s = await startPeer(
    json({ detail: 'trackingIds: expected an array.', status: 422, title: 'The request does not fit.' }, 422)
  )
  await assert.rejects(
    s.commands.patch({ opened: null, trackingIds: [] }),
    (error: unknown) =>
      error instanceof TransportError &&
      error.status === 422 &&
      error.message === 'trackingIds: expected an array.'
  )
  assert.equal(s.seen.length, 1)
})

test('calls the auth function once more if the hash was refused', async () => {
  const auth = async (): Promise<string> => 'aGFzaA=='
  await using once = await startPeer(
    (response, tries) => json(PAGE, tries === 1 ? 401 : 200)(response, tries),
    {
      auth
    }
  )
  assert.deepEqual(await once.commands.getPage(1), PAGE)
  assert.deepEqual([once.seen.length, once.forgotten], [2, 1])
  await using never = await startPeer(json({}, 401), { auth })
  await assert.rejects(never.commands.getPage(1), { status: 401 })
  assert.equal(never.seen.length, 2)
})

test('forgets a refused hash, and has a text for errors without JSON', async () => {
  await using s = await startPeer(response => void response.writeHead(401).end('<html>'))
  await assert.rejects(s.commands.getPage(1), { message: 'The server answered 401.', status: 401 })
  assert.equal(s.forgotten, 1)
})

test('rejects with status 0 after three attempts without an answer', async () => {
  await using s = await startPeer(response => void response.destroy())
  await assert.rejects(s.commands.getPage(1), { name: 'TransportError', status: 0 })
  assert.equal(s.seen.length, 3)
})

test('rejects an answer of another form', async () => {
  for (const odd of [{ ...PAGE, items: [{ id: 1 }] }, { ...PAGE, version: '7' }, [], null, 'text']) {
    await using s = await startPeer(json(odd))
    await assert.rejects(s.commands.getPage(1), { status: 502 })
  }
})

test('sends the contact details of the user', async () => {
  await using s = await startPeer(json({ message: 'ok' }))
  await s.commands.identify({ email: 'a@example.com', timezone: null })
  assert.equal(s.seen[0]!.method, 'POST')
  assert.equal(s.seen[0]!.url, '/client/users/u1')
  assert.deepEqual(JSON.parse(s.seen[0]!.body), { email: 'a@example.com', timezone: null })
})

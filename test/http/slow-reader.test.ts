// An answer that is not read holds memory or a database connection, so its connection is closed.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { after, before, test } from 'node:test'

import { UnsentBytes } from '../../server/core/unsent-bytes.ts'
import { createHttpServer } from '../../server/http/http-server.ts'
import { route, type Streamed } from '../../server/http/route.ts'
import { writeAnswer } from '../../server/http/write-response.ts'
import { asUser, CLIENT, serve } from './serve.ts'

/** More than what lies on the way to a reader. */
const LARGE = 'x'.repeat(40_000_000)
const PATIENCE = 200

const streamed: Streamed = async write => {
  for (let n = 0; n < 400; n += 1) await write(LARGE.slice(0, 100_000))
}
const BODIES: Readonly<Record<string, unknown>> = {
  '/json': { text: LARGE },
  '/small': 'x',
  '/stream': streamed,
  '/text': LARGE
}

const server = createHttpServer((request, response: ServerResponse) => {
  const limits = { client: 'u', timeoutMs: PATIENCE, unsent: new UnsentBytes() }
  void writeAnswer(response, { body: BODIES[request.url!], status: 200 }, {}, limits)
})
before(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
after(() => server.close())

function ask(...paths: readonly string[]): Socket {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(paths.map(path => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`).join(''))
  return socket
}

for (const paths of [['/text'], ['/json'], ['/stream'], ['/small', '/text']]) {
  test(`closes connections that do not read ${paths.join(' and ')}`, { timeout: 20_000 }, async () => {
    const hung = new Promise<void>(resolve => {
      server.once('connection', socket => socket.once('close', () => resolve()))
    })
    const reader = ask(...paths)
    await once(reader, 'data')
    reader.pause()
    await hung
    reader.destroy()
  })
}

test('closes the connection of a client that reads nothing of a response', { timeout: 20_000 }, async () => {
  const hung = Promise.withResolvers<void>()
  const large = route('GET', '/large', 'anyone', async ({ signal }) => {
    signal.addEventListener('abort', () => hung.resolve())
    return { body: LARGE, status: 200 }
  })
  await using served = await serve(() => [large], {}, { readerTimeoutMs: 1000 })
  const reader = connect(Number(new URL(served.url).port), '127.0.0.1')
  reader.on('error', () => {}).write('GET /large HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(reader, 'data')
  reader.pause()
  await hung.promise
  reader.destroy()
})

test('sends the whole answer to a slow reader', { timeout: 20_000 }, async () => {
  const reader = ask('/stream')
  const last = Promise.withResolvers<void>()
  let bytes = 0
  reader.on('data', (piece: Buffer) => {
    bytes += piece.length
    if (bytes >= LARGE.length) return last.resolve()
    reader.pause()
    setImmediate(() => reader.resume())
  })
  await last.promise
  assert.equal(reader.destroyed, false)
  reader.destroy()
})

test('closes the oldest unread answers of a user who has too many', { timeout: 60_000 }, async () => {
  const path = `/${CLIENT}/users/:userId/large`
  const answered = Promise.withResolvers<void>()
  let count = 0
  const large = route('GET', '/:clientId/users/:userId/large', 'user', async () => {
    if (++count === 6) answered.resolve()
    return { body: LARGE, status: 200 }
  })
  // Room for two answers of a user, and for three of all.
  const unsent = new UnsentBytes(2.5 * LARGE.length, 3.5 * LARGE.length)
  await using served = await serve(() => [large], {}, { unsent })
  const open = async (userId: string) => {
    const socket = connect(Number(new URL(served.url).port), '127.0.0.1').on('error', () => {})
    const { authorization } = asUser(userId)
    const head = `GET ${path.replace(':userId', userId)} HTTP/1.1\r\nhost: x\r\n`
    socket.write(`${head}authorization: ${authorization}\r\n\r\n`)
    await once(socket, 'readable')
    return socket
  }
  const one = [await open('one'), await open('one'), await open('one')]
  const two = [await open('two'), await open('two')]
  const three = await open('three')
  await answered.promise
  const read = async (socket: Socket): Promise<boolean> => {
    let bytes = 0
    for await (const part of socket) {
      bytes += (part as Buffer).length
      if (bytes > LARGE.length) return true
    }
    return false
  }
  const whole = await Promise.all([...one, ...two, three].map(socket => read(socket).catch(() => false)))
  assert.deepEqual(whole.slice(0, 2), [false, false])
  assert.equal(whole.filter(Boolean).length, 3)
  assert.equal(whole[5], true)
})

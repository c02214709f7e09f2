// An answer that is not read holds memory or a database connection, so its connection is closed.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { after, before, test } from 'node:test'

import { createHttpServer } from '../../server/http/http-server.ts'
import { route, type Streamed } from '../../server/http/route.ts'
import { writeAnswer } from '../../server/http/write-response.ts'
import { serve } from './serve.ts'

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
  void writeAnswer(response, { body: BODIES[request.url!], status: 200 }, {}, PATIENCE)
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

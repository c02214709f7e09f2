// Sockets that are opened during the start wait for it and are served without reconnecting.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'

import { ensureEnvironment } from '../../server/environments/environments.sql.ts'
import { stripPathPrefix } from '../../server/http/path-prefix.ts'
import { openListener } from '../../server/process/listener.ts'
import { kitClient, SECRET, socketIoClient, until } from '../inbox/live/test-node.ts'
import { ENV } from '../inbox/test-items.ts'
import { testDb } from '../support/db.ts'
import { TEST_ENCRYPTION } from '../support/test-encryption.ts'
import { openTestNode } from '../support/test-node.ts'

async function opened() {
  const front = await openListener('127.0.0.1', 0)
  return {
    [Symbol.asyncDispose]: () => front.close(0),
    front,
    port: Number(new URL(front.base).port),
    url: front.base
  }
}

test('serves sockets of both kinds that were opened during the start', async () => {
  await using t = await testDb()
  await using place = await opened()
  const clients = [kitClient(place, 'ada'), socketIoClient(place, 'ada')]
  await ensureEnvironment(t.db, TEST_ENCRYPTION, { id: ENV, origins: [], secret: SECRET, secureMode: true })
  await using whole = await openTestNode(
    t.db,
    { NOTIF_CLIENT_ID: ENV, NOTIF_ROLE: 'api' },
    { listener: place.front }
  )
  whole.serve()
  const gone = clients.map(async ({ closed }) => assert.fail(JSON.stringify(await closed)))
  for (const [i, { frames }] of clients.entries()) {
    await Promise.race([frames.route('inbox/head'), gone[i]])
  }
  for (const promise of gone) promise.catch(() => {})
})

/** Sends an upgrade request and collects the answer. */
async function upgrade(port: number): Promise<{ line: Socket; answer: Promise<string> }> {
  const line = connect(port, '127.0.0.1').setEncoding('utf8')
  await once(line, 'connect')
  line.write('GET /ws HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n')
  return { answer: text(line), line }
}

test('answers 503 with Retry-After to a waiting socket if the start fails', async () => {
  await using place = await opened()
  const { front, port } = place
  const { answer } = await upgrade(port)
  // The upgrade has arrived when a later request is answered.
  await fetch(`${front.base}/healthz`)
  await front.close(0)
  assert.match(await answer, /^HTTP\/1\.1 503 .*^retry-after: 1\r$/ims)
})

test('ignores a socket that closes while it waits', async () => {
  await using place = await opened()
  const { front, port } = place
  const { answer, line } = await upgrade(port)
  answer.catch(() => {})
  await fetch(`${front.base}/healthz`)
  line.resetAndDestroy()
  let entered = 0
  front.server.on('upgrade', () => (entered += 1))
  await until(() => line.destroyed)
  await fetch(`${front.base}/healthz`)
  front.serve((_request, response) => response.end('here'))
  assert.equal(await (await fetch(front.base)).text(), 'here')
  assert.equal(entered, 0)
})

test('closes sockets at a worker, also below a path prefix', async () => {
  await using place = await opened()
  const { front, port } = place
  stripPathPrefix(front.server, '/notif')
  front.serve((_request, response) => response.end('here'))
  const { answer } = await upgrade(port)
  assert.equal(await answer, '')
})

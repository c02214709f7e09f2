// The listener answers requests that arrive just before the start is complete, or just after the stop began.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { test } from 'node:test'

import { openListener } from '../../server/process/listener.ts'
import { openStartupQueue } from '../../server/process/startup-queue.ts'
import { freePort, isListening } from '../support/port.ts'

async function ask(line: Socket, path = '/'): Promise<string> {
  line.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n`)
  const [answer] = await once(line, 'data')
  return answer as string
}

async function opened() {
  const front = await openListener('127.0.0.1', 0)
  const serve = (): void => void front.serve((_request, response) => response.end('here'))
  const port = Number(new URL(front.base).port)
  const line = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1').setEncoding('utf8')
    await once(socket, 'connect')
    return socket
  }
  return { front, line, port, serve }
}

test('answers on open connections after close and closes them, and refuses new connections', async () => {
  const { front, line, port, serve } = await opened()
  serve()
  const [kept, early] = [await line(), await line()]
  assert.match(await ask(kept), /^connection: keep-alive\r$/im)
  const closed = front.close(20_000)
  assert.equal(await isListening(port), false)
  for (const one of [kept, early]) {
    assert.match(await ask(one), /^connection: close\r$/im)
    await once(one, 'end')
  }
  await closed
})

test('closes idle connections without waiting for requests', async () => {
  const { front, line, serve } = await opened()
  serve()
  const [kept, early] = [await line(), await line()]
  await ask(kept)
  const ends = [kept, early].map(one => once(one.resume(), 'close'))
  await front.close(20_000)
  await Promise.all(ends)
})

test('serves requests while it drains', async () => {
  const { front, line, serve } = await opened()
  serve()
  const kept = await line()
  front.drain()
  assert.equal(front.draining(), true)
  for (let i = 0; i < 2; i += 1) assert.match(await ask(kept), /^connection: keep-alive\r$/im)
  await front.close(0)
})

test('holds requests until the start is complete, and answers probes immediately', async () => {
  const { front, line, serve } = await opened()
  const early = await line()
  const answer = ask(early)
  const probe = await line()
  assert.match(await ask(probe, '/healthz'), /^HTTP\/1\.1 200 /)
  const notReady = /^HTTP\/1\.1 503 .*application\/json.*"serving":"starting","status":"not ready"/s
  assert.match(await ask(probe, '/readyz'), notReady)
  serve()
  assert.match(await answer, /^HTTP\/1\.1 200 .*here$/s)
  await front.close(0)
})

test('answers 503 to a request that waits too long for the start', async () => {
  const startupQueue = openStartupQueue(createServer(), 1)
  await using server = createServer(startupQueue.request).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  assert.equal(answer.status, 503)
  assert.equal(answer.headers.get('retry-after'), '1')
})

test('passes waiting requests to all request listeners of the server', async () => {
  const { front, line, serve } = await opened()
  const answer = ask(await line(), '/below/healthz.html')
  const probe = await ask(await line(), '/below/readyz')
  assert.match(probe, /^HTTP\/1\.1 503 /)
  front.server.prependListener('request', request => (request.url = '/passed'))
  const urls: string[] = []
  front.server.on('request', request => urls.push(request.url!))
  serve()
  assert.match(await answer, /^HTTP\/1\.1 200 /)
  assert.deepEqual(urls.at(-1), '/passed')
  await front.close(0)
})

test('answers 503 with Retry-After to waiting requests if the start fails', async () => {
  const { front, line } = await opened()
  const early = await line()
  const answer = ask(early)
  // The first request has arrived when a later one is answered.
  await ask(await line(), '/healthz')
  await front.close(0)
  assert.match(await answer, /^HTTP\/1\.1 503 .*^retry-after: 1\r$/ims)
})

test('listens only when it serves, where siblings serve the port already', async () => {
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const unused = await openListener('127.0.0.1', port, undefined, base)
  await unused.close(0)
  const front = await openListener('127.0.0.1', port, undefined, base)
  assert.equal(front.base, base)
  assert.equal(await isListening(port), false)
  await front.serve((_request, response) => response.end('here'))
  assert.equal(await (await fetch(base)).text(), 'here')
  await front.close(20_000)
})

// The port at its start and its end: whoever comes a moment too early or too late still gets an answer.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { test } from 'node:test'

import { openListener } from '../../server/process/listener.ts'
import { openStartupQueue } from '../../server/process/startup-queue.ts'
import { isListening } from '../support/port.ts'

async function ask(line: Socket, path = '/'): Promise<string> {
  line.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n`)
  const [answer] = await once(line, 'data')
  return answer as string
}

async function opened() {
  const front = await openListener('127.0.0.1', 0)
  const serve = (): void => front.serve((_request, response) => response.end('here'))
  const port = Number(new URL(front.base).port)
  const line = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1').setEncoding('utf8')
    await once(socket, 'connect')
    return socket
  }
  return { front, line, port, serve }
}

test('at its end kept lines are answered and told to go, new ones are refused', async () => {
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

test('lines on which nothing comes do not hold it', async () => {
  const { front, line, serve } = await opened()
  serve()
  const [kept, early] = [await line(), await line()]
  await ask(kept)
  const ends = [kept, early].map(one => once(one.resume(), 'close'))
  await front.close(20_000)
  await Promise.all(ends)
})

test('while it drains, requests are answered as before', async () => {
  const { front, line, serve } = await opened()
  serve()
  const kept = await line()
  front.drain()
  assert.equal(front.draining(), true)
  for (let i = 0; i < 2; i += 1) assert.match(await ask(kept), /^connection: keep-alive\r$/im)
  await front.close(0)
})

test('who comes before it is ready waits for it, who asks whether it is ready does not', async () => {
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

test('who waits too long reads that it is starting', async () => {
  const starting = openStartupQueue(createServer(), 1)
  await using server = createServer(starting.request).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  assert.equal(answer.status, 503)
  assert.equal(answer.headers.get('retry-after'), '1')
})

test('who waited passes those who came to listen on the server meanwhile, as everybody does later', async () => {
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

test('where the start comes to nothing, who waited is told to come again', async () => {
  const { front, line } = await opened()
  const early = await line()
  const answer = ask(early)
  // It is here when a later one is answered.
  await ask(await line(), '/healthz')
  await front.close(0)
  assert.match(await answer, /^HTTP\/1\.1 503 .*^retry-after: 1\r$/ims)
})

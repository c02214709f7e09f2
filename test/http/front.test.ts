// The end of the port: whoever writes to a line that was kept open for it still gets an answer.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'

import { openFront } from '../../server/front.ts'
import { isListening } from '../support/port.ts'

const REQUEST = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n'

async function ask(line: Socket): Promise<string> {
  line.write(REQUEST)
  const [answer] = await once(line, 'data')
  return answer as string
}

async function opened() {
  const front = await openFront('127.0.0.1', 0)
  front.serve((_request, response) => response.end('here'))
  const port = Number(new URL(front.base).port)
  const line = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1').setEncoding('utf8')
    await once(socket, 'connect')
    return socket
  }
  return { front, line, port }
}

test('at its end kept lines are answered and told to go, new ones are refused', async () => {
  const { front, line, port } = await opened()
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
  const { front, line } = await opened()
  const [kept, early] = [await line(), await line()]
  await ask(kept)
  const ends = [kept, early].map(one => once(one.resume(), 'close'))
  await front.close(20_000)
  await Promise.all(ends)
})

test('while it drains, requests are answered as before', async () => {
  const { front, line } = await opened()
  const kept = await line()
  front.drain()
  assert.equal(front.draining(), true)
  for (let i = 0; i < 2; i += 1) assert.match(await ask(kept), /^connection: keep-alive\r$/im)
  await front.close(0)
})

// Pipelined requests of a connection run one after the other.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'

import { createHttpServer } from '../../server/http/http-server.ts'
import { MAX_PIPELINED_REQUESTS } from '../../server/http/request-queue.ts'

async function serve(listener: RequestListener) {
  const server = createHttpServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const sockets: Socket[] = []
  return {
    open() {
      const socket = connect(port, '127.0.0.1').setEncoding('latin1')
      sockets.push(socket)
      return socket
    },
    server,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
    }
  }
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`

async function readUntil(socket: Socket, end: string): Promise<string> {
  let read = ''
  for await (const part of socket.iterator({ destroyOnReturn: false })) {
    read += part as string
    if (read.includes(end)) return read
  }
  return read
}

/** Answers each request with its number after the test has seen that no other one has started. */
async function answerOneByOne(path: (n: number) => string, count: number) {
  const started: [IncomingMessage, ServerResponse][] = []
  let wake = (): void => {}
  await using served = await serve((request, response) => {
    started.push([request, response])
    wake()
  })
  const socket = served.open()
  socket.write(Array.from({ length: count }, (_, n) => get(path(n))).join(''))
  const answers = readUntil(socket, `<${count - 1}>`)
  for (let n = 0; n < count; n += 1) {
    if (started.length === n) await new Promise<void>(resolve => (wake = resolve))
    assert.equal(started.length, n + 1)
    const [request, response] = started[n]!
    assert.equal(request.url, path(n))
    response.end(`<${n}>`)
  }
  return [...(await answers).matchAll(/<(\d+)>/g)].map(([, n]) => Number(n))
}

test('starts one of many pipelined requests at a time', { timeout: 20_000 }, async () => {
  const count = MAX_PIPELINED_REQUESTS + 1
  assert.deepEqual(await answerOneByOne(n => `/${n}`, count), [...Array(count).keys()])
})

test('reads no further while requests wait', { timeout: 20_000 }, async () => {
  // Longer than what Node reads at once, so that all of them would be more than may wait.
  const long = 'x'.repeat(8_000)
  const count = MAX_PIPELINED_REQUESTS * 4
  assert.deepEqual(await answerOneByOne(n => `/${n}?${long}`, count), [...Array(count).keys()])
})

test('closes a connection on which too many requests wait', { timeout: 20_000 }, async () => {
  let startedCount = 0
  await using served = await serve(() => (startedCount += 1))
  const socket = served.open()
  socket.write(get('/').repeat(1600))
  await readUntil(socket, 'never')
  assert.equal(startedCount, 1)
})

test('reads pipelined bodies of every form whole', { timeout: 20_000 }, async () => {
  await using served = await serve(async (request, response) => {
    response.end(`<${request.url} ${(await text(request)).length}>`)
  })
  const body = (n: number): string => 'x'.repeat((n * 7919) % 70_000)
  const post = (n: number): string => {
    const head = `POST /${n} HTTP/1.1\r\nhost: x\r\n`
    const content = body(n)
    if (n % 3 === 0 || content === '') return get(`/${n}`)
    if (n % 3 === 1) return `${head}content-length: ${content.length}\r\n\r\n${content}`
    const half = content.length >> 1
    const chunk = (part: string): string => (part === '' ? '' : `${part.length.toString(16)}\r\n${part}\r\n`)
    return `${head}transfer-encoding: chunked\r\n\r\n${chunk(content.slice(0, half))}${chunk(content.slice(half))}0\r\n\r\n`
  }
  const numbers = [...Array(MAX_PIPELINED_REQUESTS).keys()]
  const socket = served.open()
  socket.write(numbers.map(post).join(''))
  const read = await readUntil(socket, `</${numbers.length - 1} `)
  const answers = [...read.matchAll(/<\/(\d+) (\d+)/g)].map(([, n, length]) => [Number(n), Number(length)])
  assert.deepEqual(
    answers,
    numbers.map(n => [n, n % 3 === 0 ? 0 : body(n).length])
  )
})

test(
  'leaves the bytes after an upgrade to the new protocol, in their order',
  { timeout: 20_000 },
  async () => {
    await using served = await serve((_request, response) => response.end())
    const bytes = Array.from({ length: 20_000 }, (_, n) => `${n} `).join('')
    const received = new Promise<string>(resolve => {
      served.server.on('upgrade', (_request, socket, head: Buffer) => {
        // As a process does that is still starting.
        setImmediate(() => {
          socket.unshift(head)
          let read = ''
          socket.on('data', (part: Buffer) => {
            read += part.toString('latin1')
            if (read.length === bytes.length) resolve(read)
          })
        })
      })
    })
    const socket = served.open()
    socket.write(`GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n${bytes}`)
    assert.equal(await received, bytes)
  }
)

test('notices that a client has left while its request is in progress', { timeout: 20_000 }, async () => {
  const started = Promise.withResolvers<ServerResponse>()
  await using served = await serve((_request, response) => started.resolve(response))
  const socket = served.open()
  socket.write(get('/'))
  const closed = once(await started.promise, 'close')
  socket.destroy()
  await closed
})

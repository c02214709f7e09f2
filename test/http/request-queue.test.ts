// Pipelined requests run one after the other, and the connection is not read meanwhile.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'

import { createHttpServer } from '../../server/http/http-server.ts'

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

test('starts one of many pipelined requests at a time and parses few more', { timeout: 20_000 }, async () => {
  const started: [IncomingMessage, ServerResponse][] = []
  let wake = (): void => {}
  await using served = await serve((request, response) => {
    started.push([request, response])
    wake()
  })
  let parsed = 0
  served.server.on('request', () => (parsed += 1))
  const socket = served.open()
  const count = 1600
  socket.write(Array.from({ length: count }, (_, n) => get(`/${n}`)).join(''))
  const answers = readUntil(socket, `<${count - 1}>`)
  for (let n = 0; n < count; n += 1) {
    if (started.length === n) await new Promise<void>(resolve => (wake = resolve))
    assert.equal(started.length, n + 1)
    assert.ok(parsed - n <= 20, `${parsed} requests were parsed after ${n} answers`)
    const [request, response] = started[n]!
    assert.equal(request.url, `/${n}`)
    response.end(`<${n}>`)
  }
  const bodies = [...(await answers).matchAll(/<(\d+)>/g)].map(([, n]) => Number(n))
  assert.deepEqual(bodies, [...Array(count).keys()])
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
  const numbers = [...Array(60).keys()]
  const socket = served.open()
  socket.write(numbers.map(post).join(''))
  const read = await readUntil(socket, '</59 ')
  const answers = [...read.matchAll(/<\/(\d+) (\d+)/g)].map(([, n, length]) => [Number(n), Number(length)])
  assert.deepEqual(
    answers,
    numbers.map(n => [n, n % 3 === 0 ? 0 : body(n).length])
  )
})

test('reads no more of a body than its route takes', { timeout: 20_000 }, async () => {
  const arrived = Promise.withResolvers<IncomingMessage>()
  await using served = await serve((request, response) => {
    if (request.method === 'POST') arrived.resolve(request)
    else response.end('<here>')
  })
  const socket = served.open()
  const length = 50_000_000
  const head = 'POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n'
  socket.write(`${head}${length.toString(16)}\r\n${'x'.repeat(length)}\r\n0\r\n\r\n`)
  const request = await arrived.promise
  // In the time of each answer, the server could read on.
  const other = served.open()
  for (let n = 0; n < 300; n += 1) {
    other.write(get('/'))
    await readUntil(other, '<here>')
  }
  assert.ok(
    request.readableLength < request.readableHighWaterMark + 4096,
    `${request.readableLength} bytes were read`
  )
  assert.equal((await text(request)).length, length)
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

// The connection limits close surplus client connections and log that once a minute.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { RequestListener, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { Writable } from 'node:stream'
import { test, type TestContext } from 'node:test'

import { pino } from 'pino'

import { cidrList } from '../../server/core/cidr.ts'
import { ownConnections } from '../../server/process/connection-budget.ts'
import {
  clientConnections,
  limitConnections,
  type ConnectionLimit
} from '../../server/process/connection-limit.ts'
import { openListener, type Listener } from '../../server/process/listener.ts'
import { testConfig } from '../http/serve.ts'

const port = (listener: Listener): number => Number(new URL(listener.base).port)

async function listen(t: TestContext, limit: Partial<ConnectionLimit>, answer: RequestListener) {
  const logged: string[] = []
  const write = (chunk: Buffer, _encoding: unknown, done: () => void): void => {
    logged.push(String(chunk))
    done()
  }
  const listener = await openListener('127.0.0.1', 0, server => {
    const none = { max: 0, perAddress: 1000, reserved: 0, trustedProxies: cidrList([]) }
    limitConnections(server, { ...none, ...limit }, pino(new Writable({ write })))
  })
  const sockets: Socket[] = []
  t.after(async () => {
    for (const socket of sockets) socket.destroy()
    await listener.close(0)
  })
  listener.serve(answer)
  const open = (localAddress = '127.0.0.1'): Socket => {
    const socket = connect({ host: '127.0.0.1', localAddress, port: port(listener) }).on('error', () => {})
    sockets.push(socket)
    return socket
  }
  return { logged, open }
}

async function ask(socket: Socket, path = '/'): Promise<string> {
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`)
  return String(await Promise.race([once(socket, 'data'), once(socket, 'close')]))
}

const here: RequestListener = (_request, response) => response.end('here')

test('closes and logs a surplus connection, and accepts one when another has closed', async t => {
  const proxies = { trustedProxies: cidrList(['127.0.0.1']) }
  const { logged, open } = await listen(t, { max: 2, ...proxies }, here)
  const sockets = [open(), open()]
  for (const socket of sockets) assert.match(await ask(socket), /200 OK/)
  for (let refused = 0; refused < 2; refused++) assert.doesNotMatch(await ask(open()), /200 OK/)
  assert.equal(logged.length, 1)
  assert.match(logged[0]!, /"connectionLimit":2,"event":"connections_refused"/)
  sockets[0]!.end()
  while (!/200 OK/.test(await ask(open())));
})

test('closes and logs surplus connections of one address, but not of others or of trusted proxies', async t => {
  const limit = { max: 100, perAddress: 3, trustedProxies: cidrList(['127.0.0.9']) }
  const { logged, open } = await listen(t, limit, here)
  const sockets = [open(), open(), open()]
  for (const socket of sockets) assert.match(await ask(socket), /200 OK/)
  for (let refused = 0; refused < 2; refused++) assert.doesNotMatch(await ask(open()), /200 OK/)
  for (let n = 0; n < 3; n++) assert.match(await ask(open('127.0.0.2')), /200 OK/)
  for (let n = 0; n < 10; n++) assert.match(await ask(open('127.0.0.9')), /200 OK/)
  assert.equal(logged.length, 1)
  assert.match(logged[0]!, /"address":"127.0.0.1","addressLimit":3,"event":"address_refused"/)
  sockets[0]!.end()
  while (!/200 OK/.test(await ask(open())));
})

test('gives one address at most half of all connections', async t => {
  const { open } = await listen(t, { max: 4 }, here)
  for (let n = 0; n < 2; n++) assert.match(await ask(open()), /200 OK/)
  assert.doesNotMatch(await ask(open()), /200 OK/)
  assert.match(await ask(open('127.0.0.2')), /200 OK/)
})

test('closes idle connections early when few are left, but none with a request or of a proxy', async t => {
  const busy: ServerResponse[] = []
  const limit = { max: 10, trustedProxies: cidrList(['127.0.0.9']) }
  const { open } = await listen(t, limit, (request, response) => {
    if (request.url === '/busy') busy.push(response)
    else response.end('here')
  })
  const proxy = open('127.0.0.9')
  assert.match(await ask(proxy), /200 OK/)
  const working = open('127.0.0.3')
  const answer = ask(working, '/busy')
  const idle = [1, 2].flatMap(n => [1, 2, 3].map(() => open(`127.0.0.${n}`)))
  const closed = idle.map(socket => once(socket.resume(), 'close'))
  // Three that were answered, and three that never sent a request.
  for (const socket of idle.slice(0, 3)) await ask(socket)
  await Promise.all(closed)
  busy[0]!.end('here')
  assert.match(await answer, /200 OK/)
  assert.match(await ask(proxy), /200 OK/)
})

test('leaves clients the descriptors that are not reserved, and at least half', () => {
  assert.deepEqual(
    [400, 1024, 65_536, Infinity].map(all => clientConnections(all, 300)),
    [200, 724, 65_236, Infinity]
  )
})

test('counts the connections that the settings allow the process', () => {
  const usual = ownConnections(testConfig())
  assert.equal(usual, 312)
  // Half as many again for queues.
  const large = { NOTIF_DB_CONNECTIONS: '500', NOTIF_PUSH_CONCURRENCY: '1000' }
  assert.equal(ownConnections(testConfig(large)) - usual, 750 - 12 + 2 * (1000 - 50))
  // To each of eight workers: requests, queues, exports and searches.
  assert.equal(ownConnections(testConfig({ NOTIF_CITUS_ROUTE: 'owner' })) - usual, 8 * (8 + 4 + 2 + 2))
})

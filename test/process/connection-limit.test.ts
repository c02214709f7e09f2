// The connection limit closes surplus client connections and logs that once a minute.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Writable } from 'node:stream'
import { test } from 'node:test'

import { pino } from 'pino'

import { ownConnections } from '../../server/process/connection-budget.ts'
import { clientConnections, limitConnections } from '../../server/process/connection-limit.ts'
import { openListener } from '../../server/process/listener.ts'
import { testConfig } from '../http/serve.ts'

test('closes and logs a surplus connection, and accepts one when another has closed', async () => {
  const logged: string[] = []
  const write = (chunk: Buffer, _encoding: unknown, done: () => void): void => {
    logged.push(String(chunk))
    done()
  }
  const listener = await openListener('127.0.0.1', 0, server => {
    limitConnections(server, { max: 2, reserved: 0 }, pino(new Writable({ write })))
  })
  await using _closing = { [Symbol.asyncDispose]: () => listener.close(0) }
  listener.serve((_request, response) => response.end('here'))
  const port = Number(new URL(listener.base).port)
  const open = (): Socket => connect(port, '127.0.0.1').on('error', () => {})
  const ask = async (socket: Socket): Promise<string> => {
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    return String(await Promise.race([once(socket, 'data'), once(socket, 'close')]))
  }
  const sockets = [open(), open()]
  for (const socket of sockets) assert.match(await ask(socket), /200 OK/)
  for (let refused = 0; refused < 2; refused++) assert.doesNotMatch(await ask(open()), /200 OK/)
  assert.equal(logged.length, 1)
  assert.match(logged[0]!, /"connectionLimit":2,"event":"connections_refused"/)
  sockets[0]!.end()
  while (!/200 OK/.test(await ask(open())));
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
})

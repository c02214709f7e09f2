// More clients than there is room for: the one too many is closed, and the operator is told, once a minute.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Writable } from 'node:stream'
import { test } from 'node:test'

import { pino } from 'pino'

import { ownConnections } from '../../server/process/connection-budget.ts'
import { limitConnections, roomIn } from '../../server/process/connection-limit.ts'
import { openListener } from '../../server/process/listener.ts'
import { testConfig } from '../http/serve.ts'

test('the one too many is closed and told of in the log, and there is room again when another leaves', async () => {
  const said: string[] = []
  const write = (chunk: Buffer, _encoding: unknown, done: () => void): void => {
    said.push(String(chunk))
    done()
  }
  const front = await openListener('127.0.0.1', 0, server => {
    limitConnections(server, { most: 2, own: 0 }, pino(new Writable({ write })))
  })
  await using _closing = { [Symbol.asyncDispose]: () => front.close(0) }
  front.serve((_request, response) => response.end('here'))
  const port = Number(new URL(front.base).port)
  const open = (): Socket => connect(port, '127.0.0.1').on('error', () => {})
  const ask = async (line: Socket): Promise<string> => {
    line.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    return String(await Promise.race([once(line, 'data'), once(line, 'close')]))
  }
  const lines = [open(), open()]
  for (const line of lines) assert.match(await ask(line), /200 OK/)
  for (let refused = 0; refused < 2; refused++) assert.doesNotMatch(await ask(open()), /200 OK/)
  assert.equal(said.length, 1)
  assert.match(said[0]!, /"open":2,.*NOTIF_CONNECTIONS_LIMIT/)
  lines[0]!.end()
  while (!/200 OK/.test(await ask(open())));
})

test('clients have what is left beside our own lines, and half where there is little', () => {
  assert.deepEqual(
    [400, 1024, 65_536, Infinity].map(all => roomIn(all, 300)),
    [200, 724, 65_236, Infinity]
  )
})

test('our own lines are as many as the settings let the process open', () => {
  const usual = ownConnections(testConfig())
  assert.equal(usual, 309)
  // Half as many again for queues.
  const large = { NOTIF_DB_CONNECTIONS: '500', NOTIF_PUSH_CONCURRENCY: '1000' }
  assert.equal(ownConnections(testConfig(large)) - usual, 750 - 12 + 2 * (1000 - 50))
})

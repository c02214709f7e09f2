// Hints between nodes over a real Redis: changes arrive, outages cost time only, and Redis never keeps anything waiting.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { test } from 'node:test'

import { pino } from 'pino'

import { movedTo } from '../../../server/inbox/live/redis-connection.ts'
import { testDb } from '../../support/db.ts'
import { freePort } from '../../support/port.ts'
import { startRedis, whyNoRedis, type Redis } from '../../support/redis.ts'
import { newItem } from '../test-items.ts'
import { kitClient, startNode, until, type Node } from './test-node.ts'

const missing = whyNoRedis()
if (missing !== undefined) process.stderr.write(`skipped: hints over a real Redis, ${missing}\n`)
const skip = missing ?? false

/** A log that keeps its lines. */
function recordLog() {
  const lines: Record<string, unknown>[] = []
  const log = pino(
    { level: 'debug' },
    { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) }
  )
  return { count: (event: string) => lines.filter(line => line['event'] === event).length, lines, log }
}

/** A node without sweeps, whose changes reach others over Redis alone. */
const startOver = (url: string, redis: Pick<Redis, 'url'>, options: Parameters<typeof startNode>[1] = {}) =>
  startNode(url, { sweepMs: 1e8, ...options, config: { hintsUrl: redis.url } })

const areUp = (...nodes: Node[]) => until(() => nodes.every(node => node.live.areHintsUp()))

test('sends changes to sockets of another node over Redis, without NOTIFY', { skip }, async () => {
  await using t = await testDb()
  await using redis = await startRedis()
  await using a = await startOver(t.url, redis)
  await using b = await startOver(t.url, redis)
  await areUp(a, b)
  const client = kitClient(b, 'ada')
  await client.frames.route('inbox/head')
  for (let i = 0; i < 3; i++) {
    const { change } = await a.send(newItem('ada'))
    const { payload } = await client.frames.reaching(change.version)
    assert.deepEqual(payload, JSON.parse(JSON.stringify(change)))
  }
  a.live.preferencesChanged({ envId: 'env', userId: 'ada' })
  const [{ count } = assert.fail()] = await t.db.control<{ count: number }[]>`
    select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and (application_name = 'notif-kit listen' or query like '%pg_notify%' and pid <> pg_backend_pid())`
  assert.equal(count, 0, 'a connection listens or notifies')
  const channels = (await redis.command('PUBSUB', 'SHARDCHANNELS')) as string[]
  assert.match(channels.join(), /^notif-kit:hints:[0-9a-f]{16}$/)
  client.close()
})

test('nodes find what they missed when Redis returns, and say an outage once', { skip }, async () => {
  await using t = await testDb()
  await using redis = await startRedis()
  const { count, lines, log } = recordLog()
  await using a = await startOver(t.url, redis)
  await using b = await startOver(t.url, redis, { log })
  await areUp(a, b)
  const client = kitClient(b, 'ada')
  await client.frames.route('inbox/head')
  await redis.kill()
  await until(() => !a.live.areHintsUp() && !b.live.areHintsUp())
  const { change } = await a.send(newItem('ada'))
  await until(() => count('hints_retry_failed') >= 3)
  assert.ok(!client.frames.routes().includes('inbox/change'))
  await redis.start()
  await client.frames.reaching(change.version)
  await areUp(a, b)
  assert.equal(count('hints_lost'), 1)
  assert.equal(count('hints_restored'), 1)
  const lost = lines.find(line => line['event'] === 'hints_lost')!
  assert.equal(lost['component'], 'hints')
  client.close()
})

test('a node whose hints were lost alone tells the others to look', { skip }, async () => {
  await using t = await testDb()
  await using redis = await startRedis()
  const { count, log } = recordLog()
  await using a = await startOver(t.url, redis, { log })
  await areUp(a)
  const [id] = /(?<=^id=)\d+/m.exec(String(await redis.command('CLIENT', 'LIST', 'TYPE', 'pubsub')))!
  await using b = await startOver(t.url, redis)
  await areUp(b)
  const client = kitClient(b, 'ada')
  await client.frames.route('inbox/head')
  await redis.command('CLIENT', 'KILL', 'ID', id)
  await until(() => count('hints_lost') === 1)
  const { change } = await a.send(newItem('ada'))
  await client.frames.reaching(change.version)
  client.close()
})

test('a wrong password is logged without it, and the node serves', { skip }, async () => {
  await using t = await testDb()
  await using redis = await startRedis(['--requirepass', 'right-password'], 'right-password')
  const { count, lines, log } = recordLog()
  const url = redis.url.replace('right', 'wrong')
  await using a = await startOver(t.url, { url }, { log })
  const client = kitClient(a, 'ada')
  await client.frames.route('inbox/head')
  const { change } = await a.send(newItem('ada'))
  await client.frames.reaching(change.version)
  await until(() => count('hints_lost') === 1)
  const lost = lines.find(line => line['event'] === 'hints_lost')!
  assert.match(String(lost['reason']), /^WRONGPASS/)
  assert.doesNotMatch(JSON.stringify(lines), /wrong-password/)
  client.close()
  await using b = await startOver(t.url, redis)
  await areUp(b)
})

test('a Redis that accepts and never answers delays nothing, and is left', { skip }, async () => {
  await using t = await testDb()
  const sockets: Socket[] = []
  const silent = createServer(socket => sockets.push(socket.on('error', () => {}))).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const { count, log } = recordLog()
  {
    await using a = await startOver(t.url, { url: `redis://127.0.0.1:${port}` }, { echoMs: 200, log })
    const client = kitClient(a, 'ada')
    await client.frames.route('inbox/head')
    const startedAt = performance.now()
    const { change } = await a.send(newItem('ada'))
    await client.frames.reaching(change.version)
    assert.ok(performance.now() - startedAt < 5_000)
    await until(() => count('hints_lost') === 1 && sockets.length >= 2)
    client.close()
  }
  silent.close()
  for (const socket of sockets) socket.destroy()
})

test('a Redis that stands still is noticed, and what waits for it is bounded', { skip }, async () => {
  await using t = await testDb()
  await using redis = await startRedis()
  const { count, lines, log } = recordLog()
  await using a = await startOver(t.url, redis, { log })
  await areUp(a)
  redis.freeze()
  const users = Array.from({ length: 100_000 }, (_, i) => ({
    envId: 'env',
    userId: `${i} ${'x'.repeat(200)}`
  }))
  a.live.recheck(users)
  await until(() => count('hints_lost') === 1)
  assert.equal(lines.find(line => line['event'] === 'hints_lost')!['reason'], 'The queue is full')
  assert.equal(a.live.areHintsUp(), false)
  await redis.kill()
  await redis.start()
  await areUp(a)
})

test('follows the channel to the node of a cluster that owns it', { skip }, async () => {
  await using t = await testDb()
  const cluster = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '5000', '--cluster-port']
  const [busA, busB] = [await freePort(), await freePort()]
  await using one = await startRedis([...cluster, String(busA)])
  await using two = await startRedis([...cluster, String(busB)])
  await one.command('CLUSTER', 'ADDSLOTSRANGE', '0', '8191')
  await two.command('CLUSTER', 'ADDSLOTSRANGE', '8192', '16383')
  await one.command('CLUSTER', 'MEET', '127.0.0.1', String(two.port), String(busB))
  for (const node of [one, two]) {
    let info = ''
    while (!info.includes('cluster_state:ok') || !info.includes('cluster_known_nodes:2')) {
      info = String(await node.command('CLUSTER', 'INFO'))
    }
  }
  await using a = await startOver(t.url, one)
  await using b = await startOver(t.url, two)
  await areUp(a, b)
  const client = kitClient(b, 'ada')
  await client.frames.route('inbox/head')
  const { change } = await a.send(newItem('ada'))
  await client.frames.reaching(change.version)
  client.close()
})

test('reads where a channel moved', () => {
  const url = 'rediss://user:password@redis.example.com:6379'
  assert.equal(movedTo(url, 'MOVED 3999 10.0.0.2:6381'), 'rediss://user:password@10.0.0.2:6381')
  assert.equal(movedTo(url, 'MOVED 3999 :6381'), 'rediss://user:password@redis.example.com:6381')
  assert.equal(movedTo(url, 'MOVED 3999 2001:db8::1:6381'), 'rediss://user:password@[2001:db8::1]:6381')
  assert.equal(movedTo(url, 'WRONGPASS invalid username-password pair'), undefined)
})

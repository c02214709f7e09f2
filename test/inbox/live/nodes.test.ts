// Several nodes on one database: hints, lost hints, a LISTEN connection that breaks, and clients that change nodes.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import postgres from 'postgres'

import { createLog } from '../../../server/core/log.ts'
import { ChangeHints, packHints, unpackHints, type Hint } from '../../../server/inbox/live/change-hints.ts'
import { changeSettings } from '../../../server/users/preferences/settings.sql.ts'
import { testDb } from '../../support/db.ts'
import { ENV, newItem, transact, userKey } from '../test-items.ts'
import { openDatabaseProxy } from './database-proxy.ts'
import { kitClient, waitForListeners, socketIoClient, startNode, until, type Node } from './test-node.ts'

test('sends a change of one node to the sockets of another within a second', async () => {
  await using t = await testDb()
  await using a = await startNode(t.url, { sweepMs: 1e8 })
  await using b = await startNode(t.url, { sweepMs: 1e8 })
  await waitForListeners(t.url, 2)
  const clients = [kitClient(b, 'ada'), socketIoClient(b, 'ada'), kitClient(a, 'ada')]
  await Promise.all(clients.map(client => client.frames.route('inbox/head')))
  const tookMs: number[] = []
  for (let round = 0; round < 5; round++) {
    const start = performance.now()
    const { change } = await a.send(newItem('ada'))
    for (const client of clients) {
      const { payload } = await client.frames.reaching(change.version)
      assert.deepEqual(payload, JSON.parse(JSON.stringify(change)))
    }
    tookMs.push(performance.now() - start)
  }
  for (const client of clients) client.close()
  // The fastest of five: a busy machine delays some of them.
  assert.ok(Math.min(...tookMs) < 1000, `${tookMs.map(Math.round).join(', ')} ms`)
})

test('finds changes by a sweep on a node without a LISTEN connection', async () => {
  await using t = await testDb()
  await using a = await startNode(t.url)
  await using b = await startNode(t.url, { listenUrl: '', sweepMs: 1e8 })
  const client = kitClient(b, 'ada')
  await client.frames.route('inbox/head')
  const changes = [await a.send(newItem('ada')), await a.send(newItem('ada'))]
  assert.deepEqual(client.frames.routes(), ['inbox/head'])
  b.live.sweep()
  const { payload } = await client.frames.reaching(changes[1]!.change.version)
  assert.equal(payload.prev, 0)
  assert.equal(payload.items.length, 2)
  client.close()
})

test('sweeps regularly', async () => {
  await using t = await testDb()
  await using a = await startNode(t.url)
  await using b = await startNode(t.url, { listenUrl: '', sweepMs: 50 })
  const client = socketIoClient(b, 'ada')
  await client.frames.route('inbox/head')
  const { change } = await a.send(newItem('ada'))
  await client.frames.reaching(change.version)
  client.close()
})

test('reconnects a LISTEN connection that was closed, and finds the changes of the meantime', async () => {
  await using t = await testDb()
  await using a = await startNode(t.url, { listenUrl: '' })
  await using proxy = await openDatabaseProxy(t.url)
  await using b = await startNode(t.url, { listenUrl: proxy.url, sweepMs: 1e8 })
  await waitForListeners(t.url, 1)
  const client = kitClient(b, 'ada')
  await client.frames.route('inbox/head')
  const sql = postgres(t.url, { max: 1 })
  const kill = () => sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'notif-kit listen' and datname = current_database()`
  for (let i = 0; i < 3; i++) {
    await waitForListeners(t.url, 1)
    proxy.hold()
    assert.equal((await kill()).length, 1)
    // This node sends no hints: only the sweep after the reconnect finds the change.
    const { change } = await a.send(newItem('ada'))
    proxy.release()
    await client.frames.reaching(change.version)
  }
  await sql.end()
  client.close()
})

test('reconnects a LISTEN connection that is silent', async () => {
  await using t = await testDb()
  await using a = await startNode(t.url, { listenUrl: '' })
  await using proxy = await openDatabaseProxy(t.url)
  await using b = await startNode(t.url, { echoMs: 500, listenUrl: proxy.url, sweepMs: 1e8 })
  await waitForListeners(t.url, 1)
  const client = kitClient(b, 'ada')
  await client.frames.route('inbox/head')
  // As if a router dropped the connection: open on both sides, but nothing arrives.
  proxy.freeze()
  const { change } = await a.send(newItem('ada'))
  proxy.release()
  await client.frames.reaching(change.version)
  // More often if the machine was busy for longer than the echo interval.
  assert.ok(proxy.connectionCount() >= 2)
  client.close()
})

test('sends missed changes to a client that reconnects to another node', async () => {
  await using t = await testDb()
  await using a = await startNode(t.url, { listenUrl: '' })
  await using b = await startNode(t.url, { listenUrl: '' })
  let version = 0
  const nodes: Node[] = [a, b]
  const seen: string[] = []
  const sent: string[] = []
  for (let i = 0; i < 6; i++) {
    const { change } = await nodes[(i + 1) % 2]!.send(newItem('ada'))
    sent.push(change.items[0]!.id)
    const client = kitClient(nodes[i % 2]!, 'ada', { version })
    const { payload } = await client.frames.reaching(change.version)
    seen.push(...payload.items.map((item: { id: string }) => item.id))
    version = payload.version
    client.close()
  }
  assert.deepEqual(seen, sent)
})

test('packs hints below the size limit of Postgres, whatever the ids contain', () => {
  const ids = ['a|b', '"\\\n', '\u{1f600}'.repeat(255), '\u0001'.repeat(255), 'x', ']],[', '\u2028']
  const hints = Array.from({ length: 300 }, (_, i) =>
    i % 50 === 0
      ? ({ queue: 'EMAIL' } as const)
      : {
          envId: 'env|"',
          userId: ids[i % ids.length]!,
          version: i % 7 ? 1_700_000_000_000 + i : undefined
        }
  )
  const messages = packHints('me', hints)
  assert.ok(messages.length > 1)
  for (const message of messages) assert.ok(Buffer.byteLength(message) <= 7900)
  const unpackedBy = (node: string): readonly Hint[] =>
    messages.flatMap(message => unpackHints(node, message)?.hints ?? [])
  assert.deepEqual(unpackedBy('other'), hints)
  assert.deepEqual(unpackedBy('me'), [])
  assert.deepEqual(packHints('me', []), [])
  for (const odd of ['', '{', '1', '[]', '[1,"EMAIL"]', '{"0":"x"}']) {
    assert.equal(unpackHints('me', odd), undefined)
  }
  const odd = '["n",1,"NONE",[1],["a"],["a","b","c"]]'
  assert.deepEqual(unpackHints('me', odd), { hasUnsent: false, hints: [], node: 'n', unknown: undefined })
  assert.deepEqual(unpackHints('me', '["n",{"unknown":"me"},{"unknown":1},{"unsent":true}]'), {
    hasUnsent: true,
    hints: [],
    node: 'n',
    unknown: 'me'
  })
})

test('sends the newest of several hints that wait for one user', async () => {
  await using t = await testDb()
  const heard: Hint[] = []
  let wake = () => {}
  const listener = Promise.withResolvers<void>()
  const teller = Promise.withResolvers<void>()
  const common = { log: createLog('silent'), url: t.url }
  const b = new ChangeHints({
    ...common,
    onHint: hint => {
      heard.push(hint)
      wake()
    },
    onMissed: listener.resolve
  })
  const a = new ChangeHints({
    ...common,
    onHint: () => assert.fail('heard itself'),
    onMissed: teller.resolve
  })
  await Promise.all([listener.promise, teller.promise])
  const hints = [5, 7, 9, 8].map(version => ({ envId: 'env', userId: 'ada', version }))
  for (const hint of hints) a.send([hint])
  while (heard.length < 2) await new Promise<void>(resolve => (wake = resolve))
  assert.deepEqual(heard, [hints[0], hints[2]])
  // Waiting hints are sent before the close.
  const last = [1, 2].map(version => ({ envId: 'env', userId: 'grace', version }))
  for (const hint of last) a.send([hint])
  await a.close()
  while (!heard.some(hint => 'version' in hint && hint.version === 2)) {
    await new Promise<void>(resolve => (wake = resolve))
  }
  await b.close()
})

test('notifies clients on every node of changed preferences, except legacy clients', async () => {
  await using t = await testDb()
  await using a = await startNode(t.url, { sweepMs: 1e8 })
  await using b = await startNode(t.url, { sweepMs: 1e8 })
  await waitForListeners(t.url, 2)
  const clients = [kitClient(b, 'ada'), socketIoClient(b, 'ada'), kitClient(a, 'ada')]
  const other = kitClient(b, 'grace')
  await Promise.all([...clients, other].map(client => client.frames.route('inbox/head')))
  a.live.preferencesChanged({ envId: ENV, userId: 'ada' })
  for (const client of clients) {
    const { payload } = await client.frames.route('inbox/preferences')
    assert.deepEqual(payload, { pause: { isOn: false, until: null } })
  }
  const { change } = await a.send(newItem('grace'))
  await other.frames.reaching(change.version)
  assert.ok(!other.frames.routes().includes('inbox/preferences'))
  for (const client of [...clients, other]) client.close()
})

test('a pause is in the greeting, and clients on every node hear of each change of it', async () => {
  await using t = await testDb()
  await using a = await startNode(t.url, { sweepMs: 1e8 })
  await using b = await startNode(t.url, { sweepMs: 1e8 })
  await waitForListeners(t.url, 2)
  const user = userKey('ada')
  const set = (pausedUntil: number | null | undefined): Promise<unknown> =>
    transact(t.db, 'ada', tx =>
      changeSettings(tx, user, () => (pausedUntil === undefined ? undefined : { pausedUntil }))
    )
  const until = '2031-01-01T00:00:00.000Z'
  await set(Date.parse(until))
  const clients = [kitClient(a, 'ada'), socketIoClient(b, 'ada')]
  for (const client of clients) {
    const { payload } = await client.frames.route('inbox/head')
    assert.deepEqual(payload, {
      counts: { snoozed: 0, unarchived: 0, unopened: 0, unseen: 0 },
      pause: { isOn: true, until },
      version: 0
    })
  }
  const other = kitClient(a, 'grace')
  assert.ok(!('pause' in ((await other.frames.route('inbox/head')).payload as object)))
  await set(null)
  b.live.preferencesChanged(user)
  for (const client of clients) {
    const { payload } = await client.frames.route('inbox/preferences')
    assert.deepEqual(payload, { pause: { isOn: true, until: null } })
  }
  // Reads of two changes follow each other, so the newest is sent last.
  await set(undefined)
  for (let count = 0; count < 5; count++) b.live.preferencesChanged(user)
  for (const client of clients) {
    await client.frames.find(
      ({ payload, route }) =>
        route === 'inbox/preferences' && (payload as { pause: { isOn: boolean } }).pause.isOn === false
    )
    client.close()
  }
  other.close()
})

test('sends many concurrent changes to another node', async () => {
  await using t = await testDb()
  await using a = await startNode(t.url, { sweepMs: 1e8 })
  await using b = await startNode(t.url, { sweepMs: 1e8 })
  await waitForListeners(t.url, 2)
  const users = Array.from({ length: 40 }, (_, i) => `user ${i}`)
  const clients = users.map(user => kitClient(b, user))
  await Promise.all(clients.map(client => client.frames.route('inbox/head')))
  const events = await Promise.all(users.map(user => a.send(newItem(user))))
  await Promise.all(events.map(({ change }, i) => clients[i]!.frames.reaching(change.version)))
  assert.equal(b.live.connectionCount(), 40)
  for (const client of clients) client.close()
  await until(() => b.live.connectionCount() === 0)
})

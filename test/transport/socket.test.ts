// Both dialects with real servers (Socket.IO 4 and ws): lost connections, missing heartbeats and refusals.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server as HttpServer } from 'node:http'
import {
  createServer as createTcp,
  connect as connectTcp,
  type AddressInfo,
  type Socket as TcpSocket
} from 'node:net'
import { test } from 'node:test'

import { Server as SocketIoServer } from 'socket.io'
import { WebSocketServer } from 'ws'

import type { Dial, Fallback } from '../../components/live/frames.ts'
import { dialSocketIo } from '../../components/live/socket-io.ts'
import { dialWebSocket } from '../../components/live/websocket.ts'
import { CLOSE_REFUSED, HEARTBEAT_MS, type Hello } from '../../components/protocol/index.ts'
import type { Environment, Signal } from '../../components/store/environment.ts'
import type { LiveEvent } from '../../components/store/transport.ts'

const CHANGE = {
  counts: { snoozed: 0, unarchived: 1, unopened: 1, unseen: 1 },
  items: [],
  prev: 1,
  removed: [],
  version: 2
}

/** The server side of a connection, after its hello. */
interface PeerConnection {
  readonly hello: Hello
  say(route: string, payload: unknown): void
  raw(text: string): void
  end(): void
}

interface Peer {
  readonly url: URL
  readonly guests: PeerConnection[]
  refuse: boolean
  guest(index: number): Promise<PeerConnection>
  close(): Promise<void>
}

interface Dialect {
  readonly name: string
  readonly dial: (options: Dial) => () => void
  serve(http: HttpServer, peer: { refuse: boolean }, welcome: (guest: PeerConnection) => void): () => void
  readonly scheme: string
}

const socketIo: Dialect = {
  dial: dialSocketIo,
  name: 'Socket.IO',
  scheme: 'http:',
  serve(http, peer, welcome) {
    const io = new SocketIoServer(http, { path: '/socket.io/', transports: ['websocket'] })
    io.use((_, next) =>
      next(
        peer.refuse
          ? Object.assign(new Error('No'), { data: { detail: 'Wrong hash.', title: 'No' } })
          : undefined
      )
    )
    io.on('connection', socket => {
      welcome({
        end: () => socket.conn.close(),
        hello: socket.handshake.auth as Hello,
        raw: text => socket.emit('junk', text),
        say: (route, payload) => socket.emit(route, payload)
      })
    })
    return () => io.close()
  }
}

const plain: Dialect = {
  dial: dialWebSocket,
  name: 'plain frames',
  scheme: 'ws:',
  serve(http, peer, welcome) {
    const server = new WebSocketServer({ server: http })
    server.on('connection', (socket, request) => {
      assert.equal(new URL(request.url!, 'http://x').searchParams.get('kit'), '1')
      const say = (route: string, payload: unknown): void => socket.send(JSON.stringify({ payload, route }))
      socket.once('message', data => {
        const { payload, route } = JSON.parse(String(data)) as { payload: Hello; route: string }
        assert.equal(route, 'inbox/hello')
        if (peer.refuse) {
          say('inbox/refused', { detail: 'Wrong hash.', title: 'No' })
          socket.close(CLOSE_REFUSED)
        } else welcome({ end: () => socket.close(1012), hello: payload, raw: text => socket.send(text), say })
      })
    })
    return () => {
      for (const client of server.clients) client.terminate()
      server.close()
    }
  }
}

async function openPeer(dialect: Dialect): Promise<Peer> {
  const http = createServer().listen(0, '127.0.0.1')
  await once(http, 'listening')
  const guests: PeerConnection[] = []
  let arrived = (): void => {}
  const peer: Peer = {
    async close() {
      end()
      http.closeAllConnections()
      if (http.listening) http.close()
    },
    async guest(index) {
      while (guests.length <= index) await new Promise<void>(resolve => (arrived = resolve))
      return guests[index]!
    },
    guests,
    refuse: false,
    url: new URL(`${dialect.scheme}//127.0.0.1:${(http.address() as AddressInfo).port}`)
  }
  const end = dialect.serve(http, peer, guest => {
    guests.push(guest)
    guest.say('inbox/head', { version: guests.length })
    arrived()
  })
  return peer
}

/** A TCP proxy whose connections can be closed, or stall without an error. */
async function openProxy(target: URL) {
  const pairs: [TcpSocket, TcpSocket][] = []
  let isRefused = false
  const server = createTcp(client => {
    if (isRefused) return void client.destroy()
    const upstream = connectTcp(Number(target.port), target.hostname)
    client.on('error', () => {})
    upstream.on('error', () => {})
    client.pipe(upstream).pipe(client)
    pairs.push([client, upstream])
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(target)
  url.port = String((server.address() as AddressInfo).port)
  return {
    close() {
      server.close()
      this.cut()
    },
    cut() {
      for (const pair of pairs.splice(0)) for (const socket of pair) socket.destroy()
    },
    /** Whether new connections fail. */
    refuse: (now: boolean): void => void (isRefused = now),
    /** Stalls all connections: neither side notices. */
    freeze() {
      for (const [client, upstream] of pairs) {
        client.unpipe(upstream)
        upstream.unpipe(client)
        client.resume()
        upstream.resume()
      }
    },
    url
  }
}

/** Real sockets and timers, with short waits of the kit and signals that the test sends. */
function createTestEnvironment() {
  let ahead = 0
  const pauses: number[] = []
  const watches: (() => void)[] = []
  const watchers = new Set<(signal: Signal) => void>()
  const environment: Environment = {
    after(ms, callback) {
      // Of the heartbeat and of the first message.
      if (ms === 2 * HEARTBEAT_MS || ms === 10_000) {
        watches.push(callback)
        return () => void watches.splice(watches.indexOf(callback), 1)
      }
      pauses.push(ms)
      const timer = setTimeout(callback, 5)
      return () => clearTimeout(timer)
    },
    now: () => Date.now() + ahead,
    ready: async () => {},
    watch(listener) {
      watchers.add(listener)
      return () => watchers.delete(listener)
    }
  }
  return {
    environment,
    pauses,
    signal: (signal: Signal): void => watchers.forEach(watcher => watcher(signal)),
    /** Ends the time-out of the heartbeat. */
    silence(): void {
      for (const callback of watches.slice()) callback()
    },
    sleep: (ms: number): void => void (ahead += ms),
    watchers
  }
}

interface Client {
  readonly events: LiveEvent[]
  until(check: (events: readonly LiveEvent[]) => boolean): Promise<void>
  version: number | undefined
  end(): void
}

const NO_POLLS: Fallback = { failed: { count: 0 }, poll: () => () => {} }

function openClient(
  dialect: Dialect,
  url: URL,
  environment: Environment,
  fallback: Fallback = { ...NO_POLLS, failed: { count: 0 } }
): Client {
  const events: LiveEvent[] = []
  let arrived = (): void => {}
  const client: Client = {
    end: () => {},
    events,
    async until(check) {
      while (!check(events)) await new Promise<void>(resolve => (arrived = resolve))
    },
    version: undefined
  }
  client.end = dialect.dial({
    address: url,
    environment,
    createHello: async () => ({
      clientId: 'client',
      protocol: 1,
      userHash: 'hash',
      userId: 'ü:1',
      ...(client.version !== undefined && { version: client.version })
    }),
    fallback,
    listener(event) {
      events.push(event)
      arrived()
    }
  })
  return client
}

const types = (events: readonly LiveEvent[]): string => events.map(event => event.type).join(' ')

// partysocket waits at least 0.5 s before it reconnects, so tests that need a reconnect send a signal.
for (const dialect of [socketIo, plain]) {
  test(`${dialect.name}: hello, online, events`, async () => {
    const peer = await openPeer(dialect)
    const client = openClient(dialect, peer.url, createTestEnvironment().environment)
    const guest = await peer.guest(0)
    assert.deepEqual(guest.hello, { clientId: 'client', protocol: 1, userHash: 'hash', userId: 'ü:1' })
    guest.say('inbox/change', CHANGE)
    guest.say('inbox/reset', { reset: true, version: 9 })
    await client.until(events => events.length === 4)
    assert.deepEqual(client.events, [
      { type: 'online' },
      { type: 'head', version: 1 },
      { change: CHANGE, type: 'change' },
      { reset: true, type: 'reset', version: 9 }
    ])
    client.end()
    await peer.close()
  })

  test(`${dialect.name}: ignores unknown and malformed frames`, async () => {
    const peer = await openPeer(dialect)
    const client = openClient(dialect, peer.url, createTestEnvironment().environment)
    const guest = await peer.guest(0)
    guest.raw('no json')
    guest.raw('null')
    guest.raw('[]')
    guest.say('inbox/change', { ...CHANGE, version: '2' })
    guest.say('inbox/change', { ...CHANGE, items: [{ id: 'x' }] })
    guest.say('something/new', { version: 3 })
    guest.say('inbox/head', undefined)
    guest.say('inbox/head', { version: 5 })
    await client.until(events => events.at(-1)?.type === 'head' && events.length > 2)
    assert.equal(types(client.events), 'online head head')
    client.end()
    await peer.close()
  })

  test(`${dialect.name}: reports a lost connection, and the next hello has the current version`, async () => {
    const peer = await openPeer(dialect)
    const wire = await openProxy(peer.url)
    const own = createTestEnvironment()
    const client = openClient(dialect, wire.url, own.environment)
    await peer.guest(0)
    await client.until(events => events.length === 2)
    for (let i = 1; i <= 3; i++) {
      client.version = i * 10
      wire.cut()
      await client.until(events => events.at(-1)?.type === 'offline')
      own.signal('wake')
      const guest = await peer.guest(i)
      assert.equal(guest.hello.version, i * 10)
      await client.until(events => events.at(-1)?.type === 'head')
    }
    assert.equal(
      types(client.events),
      'online head offline online head offline online head offline online head'
    )
    client.end()
    wire.close()
    await peer.close()
  })

  test(`${dialect.name}: notices a dead connection by missing heartbeats`, async () => {
    const peer = await openPeer(dialect)
    const wire = await openProxy(peer.url)
    const own = createTestEnvironment()
    const client = openClient(dialect, wire.url, own.environment)
    await client.until(events => events.length === 2)
    wire.freeze()
    own.silence()
    await client.until(events => types(events).endsWith('offline online head'))
    assert.equal(peer.guests.length, 2)
    client.end()
    wire.close()
    await peer.close()
  })

  test(`${dialect.name}: opens a new socket after a sleep`, async () => {
    const peer = await openPeer(dialect)
    const own = createTestEnvironment()
    const client = openClient(dialect, peer.url, own.environment)
    await client.until(events => events.length === 2)
    own.signal('show')
    own.sleep(HEARTBEAT_MS * 3)
    own.signal('show')
    await peer.guest(1)
    assert.equal(peer.guests.length, 2)
    client.end()
    await peer.close()
  })

  test(`${dialect.name}: reports a lost network immediately, and opens a new socket after it`, async () => {
    const peer = await openPeer(dialect)
    const own = createTestEnvironment()
    const client = openClient(dialect, peer.url, own.environment)
    const guest = await peer.guest(0)
    await client.until(events => events.length === 2)
    own.signal('lost')
    assert.equal(types(client.events), 'online head offline')
    own.signal('wake')
    await client.until(events => types(events) === 'online head offline online head')
    assert.equal(peer.guests.length, 2)
    // A server on this machine stays reachable, and its heartbeat sets the connection online.
    own.signal('lost')
    ;(await peer.guest(1)).say('inbox/head', { version: 9 })
    guest.say('inbox/head', { version: 8 })
    await client.until(events => types(events.slice(5)) === 'offline online head')
    client.end()
    await peer.close()
  })

  test(`${dialect.name}: reconnects after a pause when the server closes its sockets`, async () => {
    const peer = await openPeer(dialect)
    const client = openClient(dialect, peer.url, createTestEnvironment().environment)
    const guest = await peer.guest(0)
    await client.until(events => events.length === 2)
    const ended = performance.now()
    guest.end()
    await peer.guest(1)
    const pause = performance.now() - ended
    assert.ok(pause > 450 && pause < 5500, `${pause} ms`)
    client.end()
    await peer.close()
  })

  test(`${dialect.name}: does not connect again after a refusal`, async () => {
    const peer = await openPeer(dialect)
    peer.refuse = true
    const own = createTestEnvironment()
    const client = openClient(dialect, peer.url, own.environment)
    await client.until(events => events.length > 0)
    own.signal('wake')
    own.signal('show')
    own.silence()
    assert.deepEqual(client.events, [{ detail: 'Wrong hash.', title: 'No', type: 'refused' }])
    assert.deepEqual(own.pauses, [])
    assert.equal(own.watchers.size, 0)
    await peer.close()
  })

  test(`${dialect.name}: after the end no event is reported and no timer is left`, async () => {
    const peer = await openPeer(dialect)
    const own = createTestEnvironment()
    const client = openClient(dialect, peer.url, own.environment)
    const guest = await peer.guest(0)
    await client.until(events => events.length === 2)
    client.end()
    guest.say('inbox/head', { version: 7 })
    assert.equal(types(client.events), 'online head')
    assert.equal(own.watchers.size, 0)
    await peer.close()
  })
}

test('Socket.IO: connects again after an error without a reason', async () => {
  const http = createServer().listen(0, '127.0.0.1')
  await once(http, 'listening')
  const io = new SocketIoServer(http, { transports: ['websocket'] })
  let tries = 0
  io.use((_, next) => next(++tries === 1 ? new Error('not now') : undefined))
  io.on('connection', socket => socket.emit('inbox/head', { version: 1 }))
  const own = createTestEnvironment()
  const url = new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}`)
  const client = openClient(socketIo, url, own.environment)
  await client.until(events => types(events).endsWith('online head'))
  assert.equal(tries, 2)
  assert.equal(own.pauses.length, 1)
  assert.ok(own.pauses[0]! >= 500 && own.pauses[0]! <= 5000)
  client.end()
  await io.close()
})

test('plain frames: the close code alone is a refusal', async () => {
  const http = createServer().listen(0, '127.0.0.1')
  await once(http, 'listening')
  const server = new WebSocketServer({ server: http })
  server.on('connection', socket => socket.close(CLOSE_REFUSED, 'No.'))
  const own = createTestEnvironment()
  const url = new URL(`ws://127.0.0.1:${(http.address() as AddressInfo).port}`)
  const client = openClient(plain, url, own.environment)
  await client.until(events => events.at(-1)?.type === 'refused')
  assert.deepEqual(client.events, [{ type: 'offline' }, { detail: '', title: 'No.', type: 'refused' }])
  assert.equal(own.watchers.size, 0)
  server.close()
  http.close()
})

test('clients reconnect at different times after a restart of the server', async () => {
  const peer = await openPeer(plain)
  const own = createTestEnvironment()
  const clients = Array.from({ length: 40 }, () => openClient(plain, peer.url, own.environment))
  await peer.guest(39)
  await Promise.all(clients.map(client => client.until(events => events.length === 2)))
  for (const guest of peer.guests) guest.end()
  const started = performance.now()
  const slots = new Map<number, number>()
  for (let i = 40; i < 80; i++) {
    await peer.guest(i)
    const slot = Math.floor((performance.now() - started) / 100)
    slots.set(slot, (slots.get(slot) ?? 0) + 1)
  }
  assert.ok(Math.max(...slots.values()) <= 10, `most in 100 ms: ${Math.max(...slots.values())}`)
  for (const client of clients) client.end()
  await peer.close()
})

/** Polls that the test answers. */
function createPolls() {
  const failed = { count: 0 }
  const running = new Set<{ emit(event: LiveEvent): void; lose(): void }>()
  let startCount = 0
  const fallback: Fallback = {
    failed,
    poll(listener, onLost) {
      startCount += 1
      const own = { emit: listener, lose: onLost }
      running.add(own)
      return () => running.delete(own)
    }
  }
  return {
    failed,
    fallback,
    async one() {
      while (running.size === 0) await new Promise(resolve => setTimeout(resolve, 5))
      return [...running][0]!
    },
    running,
    get startCount() {
      return startCount
    }
  }
}

for (const dialect of [socketIo, plain]) {
  test(`${dialect.name}: polls after two refused sockets, tries sockets more and more rarely, and returns to one`, async () => {
    const peer = await openPeer(dialect)
    const wire = await openProxy(peer.url)
    wire.refuse(true)
    const own = createTestEnvironment()
    const polls = createPolls()
    const client = openClient(dialect, wire.url, own.environment, polls.fallback)
    const polling = await polls.one()
    assert.equal(polls.failed.count, 2)
    assert.equal(types(client.events), 'offline')
    polling.emit({ type: 'head', version: 3 })
    assert.equal(types(client.events), 'offline online head')
    while (own.pauses.length < 5) await new Promise(resolve => setTimeout(resolve, 5))
    assert.deepEqual(own.pauses.slice(0, 5), [60_000, 120_000, 240_000, 300_000, 300_000])
    wire.refuse(false)
    await peer.guest(0)
    await client.until(events => events.length === 4)
    assert.equal(types(client.events), 'offline online head head', 'it was online all the time')
    assert.equal(polls.running.size, 0)
    assert.equal(polls.startCount, 1)
    assert.equal(polls.failed.count, 0)

    // A later connection of a page whose sockets were refused polls at once.
    wire.cut()
    await client.until(events => events.at(-1)?.type === 'offline')
    assert.equal(polls.failed.count, 0, 'a socket that worked was not refused')
    client.end()
    polls.failed.count = 2
    const again = openClient(dialect, wire.url, own.environment, polls.fallback)
    assert.equal(polls.startCount, 2)
    await again.until(events => events.at(-1)?.type === 'head')
    assert.equal(polls.running.size, 0)
    again.end()
    wire.close()
    await peer.close()
  })
}

test('without polls that are answered the socket stays offline; a lost poll and a refused one end polling', async () => {
  const peer = await openPeer(plain)
  const wire = await openProxy(peer.url)
  wire.refuse(true)
  const own = createTestEnvironment()
  const polls = createPolls()
  polls.failed.count = 2
  const client = openClient(plain, wire.url, own.environment, polls.fallback)
  ;(await polls.one()).lose()
  // The next refused socket asks again.
  const second = await polls.one()
  assert.equal(types(client.events), 'offline')
  second.emit({ type: 'head', version: 3 })
  while (own.pauses.length === 0) await new Promise(resolve => setTimeout(resolve, 5))
  second.lose()
  assert.equal(types(client.events), 'offline online head offline')
  const third = await polls.one()
  third.emit({ detail: '', title: 'No', type: 'refused' })
  assert.equal(client.events.at(-1)?.type, 'refused')
  assert.equal(own.watchers.size, 0)
  assert.equal(polls.running.size, 0)
  wire.close()
  await peer.close()
})

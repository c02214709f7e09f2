// Sockets of every kind need a valid hash and a listed origin, and have limits.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { WebSocket } from 'ws'

import { plainClient, socketIoClient, until, type Frames } from '../inbox/live/test-node.ts'
import {
  asBackEnd,
  CLIENT,
  hashOf,
  OTHER,
  OTHER_SECRET,
  PAGE,
  SECRET,
  startApp,
  type TestApp
} from './app.ts'

const USER = 'u1'
const PATIENCE = { timeout: 30_000 }

let app: TestApp
before(async () => {
  app = await startApp()
})
after(() => app[Symbol.asyncDispose]())

interface Hello {
  readonly clientId?: unknown
  readonly userId?: unknown
  readonly userHash?: unknown
  readonly protocol?: unknown
}

const RIGHT = { clientId: CLIENT, protocol: 1, userHash: hashOf(USER), userId: USER }
const swapCase = (text: string): string =>
  text.replaceAll(/[a-z]/gi, sign => (sign < 'a' ? sign.toLowerCase() : sign.toUpperCase()))

const WRONG: Readonly<Record<string, Hello>> = {
  'a hash and more': { ...RIGHT, userHash: `${RIGHT.userHash}x` },
  'a hash in another case': { ...RIGHT, userHash: swapCase(RIGHT.userHash) },
  'a hash without its end': { ...RIGHT, userHash: RIGHT.userHash.slice(0, -1) },
  'a hash by another environment': { ...RIGHT, userHash: hashOf(USER, OTHER_SECRET) },
  'a wrong hash': { ...RIGHT, userHash: hashOf('wrong') },
  'an empty hash': { ...RIGHT, userHash: '' },
  'an endless hash': { ...RIGHT, userHash: 'x'.repeat(3000) },
  'an unknown environment': { ...RIGHT, clientId: 'nobody' },
  'another environment': { ...RIGHT, clientId: OTHER },
  'another user': { ...RIGHT, userId: 'u2' },
  'no hash': { clientId: CLIENT, protocol: 1, userId: USER },
  'no user': { clientId: CLIENT, protocol: 1, userHash: RIGHT.userHash },
  nothing: {},
  'the client secret': { ...RIGHT, userHash: SECRET },
  'the word undefined': { ...RIGHT, userHash: 'undefined' }
}

/** What JSON can say and a query cannot. */
const ODD: Readonly<Record<string, object>> = {
  'a list of users': { ...RIGHT, userId: [USER] },
  'a newer protocol': { ...RIGHT, protocol: 99 },
  'a query of a document database': { ...RIGHT, userHash: { $ne: '' } },
  'true as hash': { ...RIGHT, userHash: true }
}

const context = (hello: unknown, headers: Readonly<Record<string, string>> = {}) => {
  const client = plainClient(app, '/ws?kit=1', { headers })
  client.socket.once('open', () => client.send('inbox/hello', hello))
  return client
}

const vendor = ({ clientId, userId, userHash }: Hello, headers: Readonly<Record<string, string>> = {}) => {
  const query = new URLSearchParams()
  if (userId !== undefined) query.set('userId', String(userId))
  if (clientId !== undefined) query.set('envId', String(clientId))
  if (userHash !== undefined) query.set('userIdHash', String(userHash))
  return plainClient(app, `/?${query}`, { headers })
}

const socketIo = (hello: unknown, headers: Readonly<Record<string, string>> = {}) =>
  socketIoClient(app, '', {}, { auth: hello, extraHeaders: headers })

async function assertRefused(frames: Frames, what: string): Promise<void> {
  assert.deepEqual(
    frames.routes().filter(route => route !== 'inbox/refused'),
    [],
    what
  )
  assert.equal(app.sockets(), 0, what)
}

describe('credentials', () => {
  test('are checked for the own protocol', PATIENCE, async () => {
    for (const [kind, hello] of Object.entries({ ...WRONG, ...ODD, null: null, 'a text': 'hello' })) {
      const client = context(hello)
      assert.equal((await client.closed).code, 4401, kind)
      await assertRefused(client.frames, kind)
    }
  })

  test('are checked for the legacy protocol', PATIENCE, async () => {
    for (const [kind, hello] of Object.entries(WRONG)) {
      const client = vendor(hello)
      client.socket.once('open', () => client.send('inapp_web/notifications', { count: 50 }))
      assert.equal((await client.closed).code, 4401, kind)
      await assertRefused(client.frames, kind)
    }
  })

  test('are checked for Socket.IO', PATIENCE, async () => {
    for (const [kind, hello] of Object.entries({ ...WRONG, ...ODD })) {
      const client = socketIo(hello)
      assert.match((await client.refused).message, /credentials|handshake|newer/, kind)
      await assertRefused(client.frames, kind)
      client.close()
    }
    for (const packet of ['40null', '40"hello"', '40[]']) {
      const { closed } = await wire([packet])
      await closed
      assert.equal(app.sockets(), 0, packet)
    }
  })

  test('are accepted if they are right', PATIENCE, async () => {
    const clients = [context(RIGHT), socketIo(RIGHT), vendor(RIGHT)]
    await until(() => app.sockets() === 3)
    for (const client of clients) client.close()
    await until(() => app.sockets() === 0)
  })

  test('need no hash without secure mode, and a wrong one is refused', PATIENCE, async () => {
    const open = { clientId: OTHER, protocol: 1, userId: USER }
    const clients = [context(open), socketIo(open), vendor(open), context({ ...open, userHash: '' })]
    await until(() => app.sockets() === 4)
    for (const client of clients) client.close()
    await until(() => app.sockets() === 0)
    assert.equal((await context({ ...open, userHash: RIGHT.userHash }).closed).code, 4401)
    assert.equal((await vendor({ ...open, userHash: 'x' }).closed).code, 4401)
    assert.match((await socketIo({ ...open, userHash: 'x' }).refused).message, /credentials/)
  })
})

describe('pages of other origins', () => {
  for (const origin of [
    'https://evil.example',
    'null',
    'http://a.example',
    `${PAGE}.evil.example`,
    `${PAGE}:444`
  ]) {
    test(`refused: ${origin}`, PATIENCE, async () => {
      assert.equal((await context(RIGHT, { origin }).closed).code, 4401)
      assert.equal((await vendor(RIGHT, { origin }).closed).code, 4401)
      const client = socketIo(RIGHT, { origin })
      assert.match((await client.refused).message, /origin/)
      client.close()
      assert.equal(app.sockets(), 0)
    })
  }

  test('accepted: a listed origin', PATIENCE, async () => {
    const headers = { origin: PAGE }
    const clients = [context(RIGHT, headers), socketIo(RIGHT, headers), vendor(RIGHT, headers)]
    await until(() => app.sockets() === 3)
    for (const client of clients) client.close()
    await until(() => app.sockets() === 0)
  })
})

/** Socket.IO's wire as it is: `40` is a hello, `40/x,` one to another namespace, `43` an acknowledgement. */
async function wire(
  packets: readonly string[],
  { port }: Pick<TestApp, 'port'> = app
): Promise<{ closed: Promise<unknown>; socket: WebSocket }> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`)
  socket.on('error', () => {})
  const closed = new Promise(resolve => socket.once('close', resolve))
  // The handshake of the engine.
  await new Promise(resolve => socket.once('message', resolve))
  for (const packet of packets) socket.send(packet)
  return { closed, socket }
}
const many = (packet: string): string[] => Array.from({ length: 200 }, () => packet)

describe('a client that sends too much', () => {
  test('registers once for sixty handshakes before the first answer', PATIENCE, async () => {
    // One whose first look at the environment takes its time.
    await using fresh = await startApp()
    const { closed } = await wire(
      Array.from({ length: 60 }, () => `40${JSON.stringify(RIGHT)}`),
      fresh
    )
    let over = false
    void closed.then(() => (over = true))
    await until(() => over || fresh.sockets() > 1)
    assert.ok(fresh.sockets() <= 1, `${fresh.sockets()} listeners`)
  })

  for (const [kind, packet] of [
    ['hellos to other namespaces', '40/other,{}'],
    ['acknowledgements', '431["x"]'],
    ['events', '42["inbox/sync",{"version":1}]']
  ] as const) {
    test(`too many ${kind}`, PATIENCE, async () => {
      const { closed } = await wire([`40${JSON.stringify(RIGHT)}`, ...many(packet)])
      await closed
      await until(() => app.sockets() === 0)
    })
  }

  test('survives invalid frames', PATIENCE, async () => {
    const nonsense = [
      '4',
      '49',
      '40{',
      '40[]',
      '42',
      '42{}',
      '42[]',
      '42[1]',
      '45',
      '4\0',
      '451-["x",{"_placeholder":true,"num":0}]'
    ]
    for (const text of [...nonsense, '42["__proto__",{}]', '42["inbox/sync"]', '42["connect"]']) {
      const { socket } = await wire([`40${JSON.stringify(RIGHT)}`, text])
      socket.terminate()
    }
    for (const text of [
      '',
      '[]',
      'null',
      '"x"',
      '{',
      '{"route":5}',
      '{"route":"__proto__"}',
      '{"route":"constructor"}'
    ]) {
      const client = context(RIGHT)
      client.socket.once('open', () => client.socket.send(text))
      await client.frames.route('inbox/head')
      client.close()
    }
    for (const frame of [
      { payload: { before: {}, count: 'x' }, route: 'inapp_web/notifications' },
      { payload: { before: 'T'.repeat(10_000), count: -1 }, route: 'inapp_web/notifications' },
      { payload: { count: 1e300 }, route: 'inapp_web/notifications' },
      { payload: { notificationId: "'; drop table users" }, route: 'inapp_web/unread_clear' },
      { payload: 5, route: 'user_preferences/patch_preferences' }
    ]) {
      const client = vendor(RIGHT)
      client.socket.once('open', () => {
        client.send(frame.route, frame.payload)
        client.send('inapp_web/unread_count')
      })
      await client.frames.route('inapp_web/unread_count')
      client.close()
    }
    const answer = await app.ask(`/${CLIENT}/sender`, {
      body: JSON.stringify({ inapp: { title: 'x' }, to: { id: USER }, type: 'x' }),
      headers: asBackEnd,
      method: 'POST'
    })
    assert.equal(answer.status, 200)
    await until(() => app.sockets() === 0)
  })
})

test('refuses upgrades at other paths, and handshakes without an upgrade', PATIENCE, async () => {
  for (const path of ['/socket.iox', `/${CLIENT}/sender`, '/ws/x', '//', '/%00', '/ws%2f']) {
    const socket = new WebSocket(`ws://127.0.0.1:${app.port}${path}`)
    const error = await new Promise<Error>(resolve => socket.once('error', resolve))
    assert.match(error.message, /404|400/, path)
  }
  for (const query of ['', '?EIO=4&transport=websocket', '?EIO=3&transport=polling&sid=x']) {
    assert.equal((await app.ask(`/socket.io/${query}`)).status, 400, query)
  }
})

// Java's HttpClient, and curl with --http2, offer HTTP/2 in their first request over plain HTTP.
test('answers a request that offers HTTP/2 in HTTP/1.1', async () => {
  for (const upgrade of ['h2c', 'TLS/1.0, HTTP/1.1', 'websockets']) {
    const headers = {
      ...asBackEnd,
      connection: 'Upgrade, HTTP2-Settings',
      'http2-settings': 'AAMAAABkAAQAoAAAAAIAAAAA',
      upgrade
    }
    const body = JSON.stringify({ inapp: { title: upgrade }, to: { id: 'u1' }, type: 'java' })
    const sent = await app.ask(`/${CLIENT}/sender`, { body, headers, method: 'POST' })
    assert.equal(sent.status, 200, `${upgrade}: ${sent.text}`)
    const inbox = await app.ask(`/${CLIENT}/users/u1/inbox?count=1`, { headers })
    assert.equal((inbox.json['items'] as { title: string }[])[0]!.title, upgrade)
    assert.equal((await app.ask('/nowhere', { headers })).status, 404)
  }
})

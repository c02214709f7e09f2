// Several processes on one port (NOTIF_PROCESSES): what users and operators see is that of one server, also when a process is killed.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { test } from 'node:test'

import { userHash } from '../../server/http/auth.ts'
import { kitClient, plainClient, socketIoClient, type PlainClient } from '../inbox/live/test-node.ts'
import { testDb } from '../support/db.ts'
import { isAlive, launch, startServer, temporaryDir, until, type ServerProcess } from '../support/process.ts'
import { CLIENT, inbox, OWN_KEYS, SECRET, send } from './send-and-read.ts'

const PROCESSES = 3

const SETTINGS = { ...OWN_KEYS, NOTIF_PROCESSES: String(PROCESSES) }

/** On the database of the tests. */
async function start(env: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
  await using opened = new AsyncDisposableStack()
  const { url } = opened.use(await testDb())
  const server = await startServer({ databaseUrl: url, env: { ...SETTINGS, ...env } })
  const database = opened.move()
  const end = server[Symbol.asyncDispose].bind(server)
  return Object.assign(Object.create(server) as ServerProcess, {
    async [Symbol.asyncDispose]() {
      await end()
      await database.disposeAsync()
    }
  })
}

/** With an embedded database, which belongs to the parent. */
const startEmbedded = (dataDir: string): Promise<ServerProcess> => startServer({ dataDir, env: SETTINGS })

const portOf = ({ base }: ServerProcess) => ({ port: Number(new URL(base).port), url: base })

const HANDSHAKE = { clientId: CLIENT, userHash: userHash(SECRET, 'u1') }

/** The processes that serve the port: Node's, without the guard of the database. */
const childrenOf = ({ pid }: ServerProcess): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .map(Number)
    .filter(child => {
      const [file, main = ''] = readFileSync(`/proc/${child}/cmdline`, 'utf8').split('\0')
      return file!.endsWith('node') && main.endsWith('main.ts')
    })

interface Answer {
  readonly status: number
  readonly text: string
}

/** On a connection of its own, so that the next process gets it. */
function ask(
  server: ServerProcess,
  path: string,
  options: { body?: string; headers?: object; method?: string } = {}
) {
  const { promise, reject, resolve } = Promise.withResolvers<Answer>()
  const { body, ...more } = options
  const asked = request(server.base + path, { agent: false, ...(more as object) }, response => {
    let text = ''
    response.setEncoding('utf8').on('data', (part: string) => (text += part))
    response.on('end', () => resolve({ status: response.statusCode!, text }))
    response.on('error', reject)
  })
  asked.on('error', reject)
  asked.end(body)
  return promise
}

const basic = { authorization: `Basic ${Buffer.from(`${CLIENT}:${SECRET}`).toString('base64')}` }

const post = (server: ServerProcess, title: string): Promise<Answer> =>
  ask(server, `/${CLIENT}/sender`, {
    body: JSON.stringify({ inapp: { title }, to: { id: 'u1' }, type: 'greeting' }),
    headers: { ...basic, 'content-type': 'application/json' },
    method: 'POST'
  })

/** Opens as many sockets for each process. */
async function openSockets(server: ServerProcess): Promise<PlainClient[]> {
  const clients = Array.from({ length: 2 * PROCESSES }, () => kitClient(portOf(server), 'u1', HANDSHAKE))
  for (const { frames } of clients) await frames.route('inbox/head')
  return clients
}

const titlesOf = ({ frames }: PlainClient): string[] =>
  frames.all
    .filter(({ route }) => route === 'inbox/change')
    .flatMap(({ payload }) => (payload as { items: { title: string }[] }).items.map(({ title }) => title))

test('a send that one process accepts reaches the sockets of all, long before a sweep', async () => {
  await using server = await start()
  assert.equal(childrenOf(server).length, PROCESSES)
  const clients = await openSockets(server)
  const titles = Array.from({ length: 12 }, (_, i) => `No. ${i}`)
  for (const title of titles) assert.equal((await post(server, title)).status, 200)
  for (const client of clients) {
    await until(() => titlesOf(client).length >= titles.length, 'all have arrived', 10_000)
    assert.deepEqual(titlesOf(client), titles)
    client.close()
  }
})

test('counts the sockets of an address in all processes together', async () => {
  await using server = await start({ NOTIF_SOCKETS_PER_ADDRESS: '6' })
  const clients = await openSockets(server)
  const more = plainClient(portOf(server), '/ws?kit=1')
  const [, refused] = (await new Promise<unknown[]>(resolve =>
    more.socket.once('unexpected-response', (...given) => resolve(given))
  )) as [unknown, { statusCode: number }]
  assert.equal(refused.statusCode, 429)
  clients[0]!.close()
  const isAdmitted = async (): Promise<boolean> => {
    const client = kitClient(portOf(server), 'u1', HANDSHAKE)
    const isOpen = await new Promise<boolean>(resolve => {
      client.socket.once('open', () => resolve(true))
      client.socket.once('unexpected-response', () => resolve(false))
    })
    if (isOpen) clients.push(client)
    return isOpen
  }
  await until(isAdmitted, 'a place is free again')
  for (const client of clients) client.close()
})

test('a scrape of one process has the metrics of all', async () => {
  await using server = await start()
  for (let i = 0; i < 9; i++) assert.equal((await post(server, `No. ${i}`)).status, 200)
  for (let i = 0; i < PROCESSES; i++) {
    const { text } = await ask(server, '/metrics')
    const sends = [...text.matchAll(/^notif_sends_total\{.*\} (\d+)$/gm)].map(([, count]) => Number(count))
    assert.equal(
      sends.reduce((sum, count) => sum + count, 0),
      9
    )
    assert.match(text, /^notif_database_up 1$/m)
    assert.match(text, /^notif_outbox_rows\{queue="EMAIL"\} 0$/m)
  }
})

test('a polling session works, whichever process its requests reach, and becomes a WebSocket', async () => {
  await using server = await start()
  const polling = '/socket.io/?EIO=4&transport=polling'
  const opened = await ask(server, polling)
  const { sid } = JSON.parse(opened.text.slice(1)) as { sid: string }
  const session = `${polling}&sid=${sid}`
  const auth = JSON.stringify({ ...HANDSHAKE, protocol: 1, userId: 'u1' })
  assert.equal((await ask(server, session, { body: `40${auth}`, method: 'POST' })).text, 'ok')
  let heard = ''
  let count = 0
  await until(async () => {
    const { status, text } = await ask(server, session)
    assert.equal(status, 200, text)
    heard += text
    if (heard.includes('inbox/head') && count < 6)
      assert.equal((await post(server, `No. ${count++}`)).status, 200)
    return heard.includes('No. 5')
  }, 'the session hears of all')
  const client = socketIoClient(portOf(server), 'u1', HANDSHAKE, { transports: ['polling', 'websocket'] })
  await client.frames.route('inbox/head')
  await until(() => client.socket.io.engine.transport.name === 'websocket', 'the session is upgraded')
  await post(server, 'After the upgrade')
  await client.frames.find(({ payload }) => JSON.stringify(payload).includes('After the upgrade'))
  client.close()
})

/** Sends until it is stopped. @returns the titles that were accepted */
function keepSending(server: ServerProcess): { readonly accepted: string[]; stop(): Promise<void> } {
  const accepted: string[] = []
  const stopped = new AbortController()
  let count = 0
  const run = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      const title = `No. ${count++}`
      const answer = await send(server, title, title).catch(() => {})
      await answer?.body?.cancel().catch(() => {})
      if (answer?.status === 200) accepted.push(title)
    }
  }
  const lines = [run(), run(), run(), run()]
  return {
    accepted,
    async stop() {
      stopped.abort()
      await Promise.all(lines)
    }
  }
}

const assertAccepted = async (server: ServerProcess, accepted: readonly string[]): Promise<void> => {
  const titles = (await inbox(server)).items.map(({ title }) => title)
  assert.equal(new Set(titles).size, titles.length, 'nothing is there twice')
  const missing = accepted.filter(title => !titles.includes(title))
  assert.deepEqual(missing, [])
}

test('replaces a process that is killed under load, and loses nothing that was accepted', async () => {
  await using server = await start()
  const traffic = keepSending(server)
  const before = childrenOf(server)
  for (const killed of before.slice(0, 2)) {
    const enough = traffic.accepted.length + 20
    await until(() => traffic.accepted.length > enough, 'sends are accepted')
    process.kill(killed, 'SIGKILL')
  }
  // A killed process is a child until its parent has heard of its end.
  await until(() => {
    const children = childrenOf(server)
    return children.length === PROCESSES && children.filter(pid => before.includes(pid)).length === 1
  }, 'others took their places')
  assert.match(server.output(), /"event":"process_ended"/)
  await traffic.stop()
  await assertAccepted(server, traffic.accepted)
  // The new processes belong to the others.
  await until(async () => {
    const clients = await openSockets(server)
    const title = `After ${performance.now()}`
    await post(server, title)
    const hasAll = await until(
      () => clients.every(client => titlesOf(client).includes(title)),
      title,
      2000
    ).then(
      () => true,
      () => false
    )
    for (const client of clients) client.close()
    return hasAll
  }, 'all sockets hear of a send')
})

test('leaves no process after kill -9 of the parent, and the next start has every accepted send', async () => {
  const dataDir = temporaryDir()
  const accepted: string[] = []
  {
    const server = await startEmbedded(dataDir)
    const traffic = keepSending(server)
    await until(() => traffic.accepted.length > 40, 'sends are accepted')
    const children = childrenOf(server)
    await server.end('SIGKILL')
    await traffic.stop()
    accepted.push(...traffic.accepted)
    await until(() => !children.some(isAlive), 'the processes end with their parent')
  }
  await using server = await startEmbedded(dataDir)
  await assertAccepted(server, accepted)
})

test('SIGTERM ends all processes after what they had accepted, and says so once', async () => {
  const server = await startEmbedded(temporaryDir())
  const traffic = keepSending(server)
  await until(() => traffic.accepted.length > 40, 'sends are accepted')
  const children = childrenOf(server)
  const { code } = await server.end('SIGTERM')
  await traffic.stop()
  assert.equal(code, 0, server.output())
  assert.equal(children.filter(isAlive).length, 0)
  assert.equal(server.output().match(/stopping; send the signal again/g)?.length, 1)
  await using next = await startEmbedded(server.dataDir)
  await assertAccepted(next, traffic.accepted)
})

test('a start that fails says why once, and ends', async () => {
  await using server = await start()
  const { port } = portOf(server)
  await using db = await testDb()
  const second = launch({ databaseUrl: db.url, env: { ...SETTINGS, PORT: String(port) } })
  const { code } = await second.ended
  assert.equal(code, 1)
  assert.equal(second.output().match(/is in use by another program/g)?.length, 1, second.output())
})

// Long polls: requests that wait for a change, on one node and on two, and how many may wait.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'

import postgres from 'postgres'

import type { InboxChange } from '#protocol'

import type { Db, Sql } from '../../../server/db/db.ts'
import { changeSecret } from '../../../server/environments/environments.sql.ts'
import { userHash } from '../../../server/http/auth.ts'
import { MAX_POLLS_PER_USER } from '../../../server/inbox/live/long-polls.ts'
import { openTestDb, testDb } from '../../support/db.ts'
import { plainPostgresOnly } from '../../support/plain-postgres.ts'
import { until } from '../../support/process.ts'
import { TEST_ENCRYPTION } from '../../support/test-encryption.ts'
import { openTestNode, type TestNode } from '../../support/test-node.ts'

const CLIENT = 'heron'
const SECRET = 'the-secret-of-heron'
const SETTINGS = {
  NOTIF_CLIENT_ID: CLIENT,
  NOTIF_CLIENT_SECRET: SECRET,
  NOTIF_REQUESTS_PER_SECOND: '100000',
  NOTIF_SOCKETS_PER_ADDRESS: '2000'
}
/** Sweeps would find what a wake missed. */
const NO_SWEEPS = { sweepMs: 1e8 }

const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })
const asUser = (userId: string) => basic(`${CLIENT}:${userId}:${userHash(SECRET, userId)}`)

async function startNode(db: Db, settings: Readonly<Record<string, string>> = {}): Promise<TestNode> {
  const whole = await openTestNode(db, { ...SETTINGS, ...settings }, { intervals: NO_SWEEPS })
  whole.serve()
  return whole
}

type Body = InboxChange & { reset?: true; preferences?: true }

function ask({ base }: TestNode, userId: string, query: string, init: RequestInit = {}): Promise<Response> {
  const headers = { ...asUser(userId), ...(init.headers as Record<string, string>) }
  return fetch(`${base}/${CLIENT}/users/${userId}/inbox/changes?${query}`, { ...init, headers })
}

async function poll(node: TestNode, userId: string, since: number, wait = 25): Promise<Body> {
  const answer = await ask(node, userId, `since=${since}&wait=${wait}`)
  assert.equal(answer.status, 200)
  return (await answer.json()) as Body
}

async function send({ base }: TestNode, userId: string, title = 'Hello'): Promise<void> {
  const answer = await fetch(`${base}/${CLIENT}/sender`, {
    body: JSON.stringify({ inapp: { title }, to: { id: userId }, type: 'news' }),
    headers: { ...basic(`${CLIENT}:${SECRET}`), 'content-type': 'application/json' },
    method: 'POST'
  })
  assert.equal(answer.status, 200)
}

const waiting = (node: TestNode, count: number): Promise<void> =>
  until(() => node.node.live.connectionCount() === count, `${count} requests wait`)

test('a waiting request gets the next change, the one after it the change after that', async () => {
  await using t = await testDb()
  await using node = await startNode(t.db)
  const first = poll(node, 'ada', 0)
  await waiting(node, 1)
  await send(node, 'ada', 'One')
  const one = await first
  assert.deepEqual(
    one.items.map(({ title }) => title),
    ['One']
  )
  assert.deepEqual(one.counts, { snoozed: 0, unarchived: 1, unopened: 1, unseen: 1 })
  assert.equal(node.node.live.connectionCount(), 0)

  // Sent while nobody waits.
  await send(node, 'ada', 'Two')
  const two = await poll(node, 'ada', one.version)
  assert.equal(two.prev, one.version)
  assert.deepEqual(
    two.items.map(({ title }) => title),
    ['Two']
  )
  const ids = [...one.items, ...two.items].map(({ id }) => id)
  const archived = poll(node, 'ada', two.version)
  await waiting(node, 1)
  await fetch(`${node.base}/${CLIENT}/users/ada/inbox`, {
    body: JSON.stringify({ archived: new Date().toISOString(), trackingIds: ids }),
    headers: asUser('ada'),
    method: 'PATCH'
  })
  assert.deepEqual((await archived).counts, { snoozed: 0, unarchived: 0, unopened: 0, unseen: 0 })
})

test('without a change the answer after the wait is empty, has the counters, and is not cached', async () => {
  await using t = await testDb()
  await using node = await startNode(t.db)
  await send(node, 'ada')
  const { version } = await poll(node, 'ada', 0)
  const answer = await ask(node, 'ada', `since=${version}&wait=0.2`)
  assert.deepEqual(await answer.json(), {
    counts: { snoozed: 0, unarchived: 1, unopened: 1, unseen: 1 },
    items: [],
    prev: version,
    removed: [],
    version
  })
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  assert.equal(answer.headers.get('etag'), null)
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
  // A request that does not wait has an ETag, as before.
  const plain = await ask(node, 'ada', `since=${version}`)
  assert.match(plain.headers.get('etag') ?? '', /^"/)
  assert.deepEqual(await poll(node, 'ada', version + 5), { reset: true, version })
  for (const wait of ['26', '-1', 'long']) {
    const wrong = await ask(node, 'ada', `since=0&wait=${wait}`)
    assert.equal(wrong.status, 422)
    assert.equal(((await wrong.json()) as { errors: { pointer: string }[] }).errors[0]!.pointer, '#/wait')
  }
})

test('changed preferences end a wait', async () => {
  await using t = await testDb()
  await using node = await startNode(t.db)
  const answer = poll(node, 'ada', 0)
  await waiting(node, 1)
  // A request that was not read yet learns of it with its next read of the preferences.
  await until(async () => {
    await fetch(`${node.base}/${CLIENT}/users/ada/preferences`, {
      body: JSON.stringify([{ channel: 'EMAIL', delivery: 'off', notificationId: 'news' }]),
      headers: asUser('ada'),
      method: 'POST'
    })
    return node.node.live.connectionCount() === 0
  }, 'it is answered')
  assert.deepEqual(await answer, { pause: { isOn: false, until: null }, preferences: true })
})

test('a change on another node ends the wait, and no change between two waits on two nodes is lost', async () => {
  await using t = await testDb()
  const dbs = await Promise.all(
    [1, 2].map(() => openTestDb({ connections: 4, listenUrl: t.url, url: t.url }))
  )
  const nodes = [await startNode(dbs[0]!), await startNode(dbs[1]!)]
  try {
    const seen: string[] = []
    const all = Array.from({ length: 30 }, (_, i) => `Number ${i}`)
    const reading = (async () => {
      let since = 0
      for (let i = 0; seen.length < all.length; i++) {
        const change = await poll(nodes[i % 2]!, 'ada', since, 2)
        if (change.version === since) continue
        assert.ok(change.prev <= since && change.version > since)
        since = change.version
        seen.push(...change.items.map(({ title }) => title))
      }
    })()
    await until(() => nodes.some(({ node }) => node.live.connectionCount() > 0), 'a request waits')
    for (const [i, title] of all.entries()) await send(nodes[i % 3 === 0 ? 0 : 1]!, 'ada', title)
    await reading
    assert.deepEqual(seen, all)
  } finally {
    for (const node of nodes) await node[Symbol.asyncDispose]()
    for (const db of dbs) await db.close()
  }
})

test('a client that hangs up is released at once, and a pipelined request waits for its turn', async () => {
  await using t = await testDb()
  await using node = await startNode(t.db)
  const startedAt = performance.now()
  const gone = new AbortController()
  const aborted = assert.rejects(ask(node, 'ada', 'since=0&wait=25', { signal: gone.signal }))
  await waiting(node, 1)
  gone.abort()
  await aborted
  await waiting(node, 0)
  assert.ok(performance.now() - startedAt < 20_000, 'before the wait ends')

  const socket = connect(node.port, '127.0.0.1')
  await once(socket, 'connect')
  const { authorization } = asUser('ada')
  const head = `HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n\r\n`
  let text = ''
  socket.setEncoding('utf8').on('data', chunk => (text += chunk))
  socket.write(
    `GET /${CLIENT}/users/ada/inbox/changes?since=0&wait=25 ${head}GET /${CLIENT}/users/ada/inbox?count=1 ${head}`
  )
  await waiting(node, 1)
  await send(node, 'ada')
  await until(() => text.split('HTTP/1.1 200').length === 3, 'both are answered')
  assert.match(text, /"prev":0.*"removed":\[\].*HTTP\/1\.1 200/s)
  socket.destroy()
})

test('beyond the limits of a user and an address the answer does not wait', async () => {
  await using t = await testDb()
  await using node = await startNode(t.db, { NOTIF_SOCKETS_PER_ADDRESS: String(MAX_POLLS_PER_USER + 2) })
  const gone = new AbortController()
  const start = async (userId: string, count: number, total: number): Promise<void> => {
    for (let i = 0; i < count; i++) {
      ask(node, userId, 'since=0&wait=25', { signal: gone.signal }).catch(() => {})
    }
    await waiting(node, total)
  }
  await start('ada', MAX_POLLS_PER_USER, MAX_POLLS_PER_USER)
  assert.equal((await poll(node, 'ada', 0)).version, 0)
  await start('bob', 2, MAX_POLLS_PER_USER + 2)
  assert.equal((await poll(node, 'cy', 0)).version, 0)
  gone.abort()
  await waiting(node, 0)
  const next = poll(node, 'ada', 0)
  await waiting(node, 1)
  await send(node, 'ada')
  assert.equal((await next).items.length, 1)
})

test('a wait ends with 401 when the secret is revoked, and with what is known when the node stops', async () => {
  await using t = await testDb()
  await using node = await startNode(t.db)
  await send(node, 'ada')
  const { version } = await poll(node, 'ada', 0)
  const stopped = poll(node, 'ada', version)
  await waiting(node, 1)
  // It is answered without a read if it was read before.
  await node.node.live.drain(1000)
  assert.equal((await stopped).version, version)
  assert.equal((await poll(node, 'ada', version)).version, version)

  await using other = await startNode(t.db)
  const revoked = ask(other, 'ada', `since=${version}&wait=25`)
  await waiting(other, 1)
  await t.db.control.begin(tx =>
    changeSecret(tx, TEST_ENCRYPTION, { grace: 0, id: CLIENT, secret: 'another-secret-of-heron' })
  )
  assert.equal((await revoked).status, 401)
})

/** Counts the statements of a pool. */
function counting(db: Db): { db: Db; count: () => number } {
  let count = 0
  const group = db.of(0)
  const sql = new Proxy(group.sql, {
    apply(target, self, args: unknown[]) {
      if (/^\s*(?:select|with)\b/.test(String((args[0] as readonly string[])[0]))) count += 1
      return Reflect.apply(target as never, self, args) as unknown
    }
  }) as Sql
  const counted = { ...group, sql }
  return { count: () => count, db: { ...db, groups: [counted], of: () => counted } }
}

const skip = plainPostgresOnly('it counts the statements of one group')
test(
  'a thousand waiting requests share reads, hold no connection, and get a change without a read',
  { skip },
  async () => {
    await using t = await testDb()
    const counted = counting(t.db)
    await using node = await startNode(counted.db)
    const admin = postgres(t.url, { max: 1, onnotice: () => {} })
    const users = Array.from({ length: 1000 }, (_, i) => `user-${i}`)
    const answers = users.map(userId => poll(node, userId, 0))
    await waiting(node, users.length)
    // Until all are read: reads are in the order of their requests.
    let before: number
    do {
      before = counted.count()
      await poll(node, 'last', 0, 0.3)
    } while (counted.count() - before > 2)
    assert.ok(before < users.length * 0.75, `${before} statements`)
    const [row] = await admin<{ sessions: number; busy: number }[]>`
    select count(*)::integer as sessions, (count(*) filter (where state <> 'idle'))::integer as busy
    from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
    await admin.end()
    assert.ok(row!.sessions <= 15, `${row!.sessions} sessions`)
    await send(node, 'user-7')
    assert.equal((await answers[7])!.items.length, 1)
    assert.equal(node.node.live.connectionCount(), users.length - 1)
    // The change itself is the answer; the rest is the send.
    assert.ok(counted.count() - before < 10, `${counted.count() - before} statements`)
    await node.node.live.drain(1000)
    const rest = await Promise.all(answers.filter((_, i) => i !== 7))
    assert.ok(rest.every(({ items }) => items.length === 0))
  }
)

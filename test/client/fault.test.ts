// The network or the server fails during a send: the send is stored, and stored once.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { NotifUnreachable } from '../../server/client/index.ts'
import { until } from '../support/process.ts'
import { random } from '../support/random.ts'
import { openCutter } from './cutting-proxy.ts'
import { startOwn, type Started } from './server.ts'

/** A server on a busy machine takes a minute to start. */
const TIMEOUT_MS = 120_000

let started: Started
before(async () => {
  started = await startOwn()
})
after(() => started[Symbol.asyncDispose]())

const titles = async (userId: string): Promise<string[]> => {
  const { items } = await started.client().listInApp(userId, { count: 1000 })
  return items.map(({ title }) => title).toReversed()
}

test('a send is stored once if its answers are cut off anywhere', async t => {
  await using cutter = await openCutter(started.process.base)
  const client = started.client({ baseURL: cutter.url })
  const chance = random()
  t.diagnostic(`TEST_SEED=${chance.seed}`)
  const wanted: string[] = []
  const ids = new Set<string>()
  for (let i = 0; i < 8; i++) {
    // Before the first byte, in the headers, in the body.
    cutter.cut(
      Array.from({ length: 1 + chance(3) }, () => [0, 1 + chance(200), 200 + chance(400)][chance(3)]!)
    )
    const title = `cut ${i}`
    const { trackingId } = await client.send({ inapp: { title }, to: { id: 'cut' }, type: 'fault' })
    ids.add(trackingId)
    wanted.push(title)
  }
  assert.ok(cutter.cuts() >= 8, `${cutter.cuts()} answers were cut`)
  assert.deepEqual(await titles('cut'), wanted)
  assert.equal(ids.size, wanted.length)
})

test('without the idempotency key the same fault stores the send twice', async () => {
  await using cutter = await openCutter(started.process.base)
  cutter.cut([0])
  const client = started.client({
    baseURL: cutter.url,
    fetch: (input, init) => {
      const headers = new Headers(init?.headers)
      headers.delete('idempotency-key')
      return fetch(input, { ...init, headers })
    }
  })
  await client.send({ inapp: { title: 'twice' }, to: { id: 'doubled' }, type: 'fault' })
  assert.deepEqual(await titles('doubled'), ['twice', 'twice'])
})

test('a server that is killed during sends and restarted has each send once', async () => {
  let broken = 0
  const client = started.client({
    attemptTimeout: 5000,
    fetch: async (input, init) => {
      try {
        return await fetch(input, init)
      } catch (error) {
        broken += 1
        throw error
      }
    },
    retries: 60,
    timeout: TIMEOUT_MS
  })
  const ids = new Set<string>()
  const wanted: string[] = []
  const over = new AbortController()
  const callers = [0, 1, 2, 3].map(async caller => {
    for (let i = 0; !over.signal.aborted; i++) {
      const title = `${caller}: ${i}`
      wanted.push(title)
      const { trackingId } = await client.send({
        inapp: { title },
        to: { id: `killed-${caller}` },
        type: 'fault'
      })
      ids.add(trackingId)
    }
  })
  for (const more of [20, 40]) {
    await until(() => ids.size > more, `${more} sends are accepted`, TIMEOUT_MS)
    await started.restart('SIGKILL')
  }
  const before = ids.size
  await until(() => ids.size > before + 20, 'sends are accepted again', TIMEOUT_MS)
  over.abort()
  await Promise.all(callers)
  assert.ok(broken >= 4, `${broken} attempts were broken`)
  assert.equal(ids.size, wanted.length)
  const found = await Promise.all([0, 1, 2, 3].map(caller => titles(`killed-${caller}`)))
  assert.deepEqual(found.flat().toSorted(), wanted.toSorted())
})

test('a call without an answer can be repeated with the same key', async () => {
  await using cutter = await openCutter(started.process.base)
  cutter.cut([0])
  const hasty = started.client({ baseURL: cutter.url, retries: 0 })
  const request = { inapp: { title: 'asked again' }, to: { id: 'unsure' }, type: 'fault' }
  let key: string | undefined
  await assert.rejects(hasty.send(request), (error: unknown) => {
    assert.ok(error instanceof NotifUnreachable)
    key = error.idempotencyKey
    return true
  })
  assert.ok(key)
  await hasty.send(request, { idempotencyKey: key })
  assert.deepEqual(await titles('unsure'), ['asked again'])
})

// The network and the server fail in the middle of a send: it is done, and it is done once.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { NotifUnreachable } from '../../server/client/index.ts'
import { until } from '../support/process.ts'
import { random } from '../support/random.ts'
import { openCutter } from './cutting-proxy.ts'
import { startOwn, type Started } from './server.ts'

/** Milliseconds: a server that starts on a busy machine takes a minute. */
const LONG = 120_000

let started: Started
before(async () => {
  started = await startOwn()
})
after(() => started[Symbol.asyncDispose]())

const titles = async (userId: string): Promise<string[]> => {
  const { items } = await started.client().listInApp(userId, { count: 1000 })
  return items.map(({ title }) => title).toReversed()
}

test('answers that are cut off anywhere make one send, not two', async t => {
  await using cutter = await openCutter(started.process.base)
  const client = started.client({ baseURL: cutter.url })
  const chance = random()
  t.diagnostic(`NOTIF_TEST_SEED=${chance.seed}`)
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

test('without its key the same network doubles: the key is what holds it', async () => {
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

test('a server that is killed in the middle of sends and comes back has each of them once', async () => {
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
    timeout: LONG
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
    await until(() => ids.size > more, `${more} sends are accepted`, LONG)
    await started.restart('SIGKILL')
  }
  const before = ids.size
  await until(() => ids.size > before + 20, 'sends are accepted again', LONG)
  over.abort()
  await Promise.all(callers)
  assert.ok(broken >= 4, `${broken} tries were broken`)
  assert.equal(ids.size, wanted.length)
  const found = await Promise.all([0, 1, 2, 3].map(caller => titles(`killed-${caller}`)))
  assert.deepEqual(found.flat().toSorted(), wanted.toSorted())
})

test('whoever is told nothing can ask again under the same key', async () => {
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

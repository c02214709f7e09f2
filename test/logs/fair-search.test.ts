// Searches of the log in one environment do not take the service from others: they have their own connections, few places for each
// environment, and end in Postgres when their clients leave.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { healthRoutes } from '../../server/admin/health.ts'
import type { Db } from '../../server/db/db.ts'
import { logRoutes } from '../../server/logs/route.ts'
import { openSendModule } from '../../server/send/send-module.ts'
import { asBackEnd, basic, CLIENT, OTHER, OTHER_SECRET, serve, type Served } from '../http/serve.ts'
import { PROVIDERS, testKit } from '../send/test-context.ts'
import { countLockWaits } from '../support/db.ts'
import { until } from '../support/process.ts'
import { inapp } from './log-server.ts'

/** Of one environment: one search runs, three wait. */
const PLACES = 4

const open = (timeoutSeconds: number): Promise<Served> =>
  serve(db => {
    const context = testKit(db)
    return [
      ...openSendModule(context, PROVIDERS).routes,
      ...logRoutes(context, { timeoutSeconds }),
      ...healthRoutes(db, { draining: () => false })
    ]
  })

const post = (served: Served, clientId: string, path: string, body: object, signal?: AbortSignal) =>
  served.fetch(`/${clientId}/${path}`, {
    body: JSON.stringify(body),
    headers: clientId === OTHER ? basic(`${OTHER}:${OTHER_SECRET}`) : asBackEnd,
    method: 'POST',
    ...(signal && { signal })
  })

/** This search reads the attempts, which {@link lockAttempts} lets wait. */
const search = (served: Served, clientId: string, signal?: AbortSignal) =>
  post(served, clientId, 'logs/query', { statusFilter: ['success'] }, signal)

/** Until it is disposed of, every search waits in Postgres. Sends write no attempt, so they do not wait. */
async function lockAttempts({ control }: Db): Promise<AsyncDisposable> {
  const locked = Promise.withResolvers<void>()
  const unlocked = Promise.withResolvers<void>()
  const holder = control.begin(async tx => {
    await tx`set local idle_in_transaction_session_timeout = 0`
    await tx`lock table attempts in access exclusive mode`
    locked.resolve()
    await unlocked.promise
  })
  await locked.promise
  return {
    async [Symbol.asyncDispose]() {
      unlocked.resolve()
      await holder
    }
  }
}

/** Waits until so many searches wait for the lock, on any node of a cluster. */
async function waitForSearches({ control }: Db, count: number): Promise<void> {
  await until(async () => (await countLockWaits(control)) === count, `${count} searches run`)
}

test('answers other environments and health checks while one environment uses all its places', async () => {
  await using served = await open(60)
  for (const clientId of [CLIENT, OTHER])
    assert.equal((await post(served, clientId, 'sender', inapp('u'))).status, 200)
  const searches: Promise<Response>[] = []
  {
    await using _lock = await lockAttempts(served.db)
    for (let i = 0; i < PLACES; i++) searches.push(search(served, CLIENT))
    await waitForSearches(served.db, 1)
    const refused = await Promise.all(Array.from({ length: 12 }, () => search(served, CLIENT)))
    for (const response of refused) {
      assert.equal(response.status, 429)
      assert.equal(response.headers.get('retry-after'), '1')
      assert.match(((await response.json()) as { type: string }).type, /#rate-limited$/)
    }
    searches.push(search(served, OTHER))
    await waitForSearches(served.db, 2)
    for (const clientId of [CLIENT, OTHER])
      assert.equal((await post(served, clientId, 'sender', inapp('v'))).status, 200)
    assert.equal((await served.fetch('/readyz')).status, 200)
  }
  for (const response of await Promise.all(searches)) assert.equal(response.status, 200)
})

test('is ready while all connections for requests and for searches are used', async () => {
  await using served = await open(60)
  const [group] = served.db.groups
  const unlocked = Promise.withResolvers<void>()
  const used = [group!.sql, group!.searches].flatMap(pool =>
    Array.from({ length: pool.options.max }, () => pool.begin(() => unlocked.promise))
  )
  assert.equal((await served.fetch('/readyz')).status, 200)
  unlocked.resolve()
  await Promise.all(used)
})

test('cancels the search of a client that left, and starts none that waited', async () => {
  await using served = await open(60)
  await post(served, CLIENT, 'sender', inapp('u'))
  await using _lock = await lockAttempts(served.db)
  const clients = Array.from({ length: PLACES }, () => new AbortController())
  const searches = clients.map(({ signal }) => search(served, CLIENT, signal))
  await waitForSearches(served.db, 1)
  for (const client of clients) client.abort()
  for (const one of searches) await assert.rejects(one, { name: 'AbortError' })
  // The lock is still held, so a search that runs would never end.
  const ended = () => served.seen.filter(({ route }) => route.endsWith('/logs/query')).length
  while (ended() < PLACES) await new Promise(resolve => void setImmediate(resolve))
  await waitForSearches(served.db, 0)
})

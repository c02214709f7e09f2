// The answer to a commit is lost, but the commit holds: connected clients get the change at once, not with the next sweep.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { environmentSettings } from '../../../server/config/environment-settings.ts'
import { placementHash, uuidv7 } from '../../../server/core/id.ts'
import { expireJob } from '../../../server/inbox/expire.ts'
import { enqueue } from '../../../server/queue/outbox.sql.ts'
import { openAcceptor } from '../../../server/send/accept/accept.ts'
import { parseSend } from '../../../server/send/parse-send.ts'
import { onlyGroup, openTestQueues } from '../../queue/test-queue.ts'
import { PROVIDERS, testKit } from '../../send/test-context.ts'
import { openTestDb, testDb } from '../../support/db.ts'
import { ENV, newItem } from '../test-items.ts'
import { openDatabaseProxy } from './database-proxy.ts'
import { kitClient, waitForListeners, startNode } from './test-node.ts'

test('an expired notification', { timeout: 20_000 }, async () => {
  await using t = await testDb()
  await using a = await startNode(t.url, { sweepMs: 1e8 })
  await using b = await startNode(t.url, { sweepMs: 1e8 })
  await waitForListeners(t.url, 2)
  const clients = [kitClient(a, 'ada'), kitClient(b, 'ada')]
  await Promise.all(clients.map(({ frames }) => frames.route('inbox/head')))
  const item = newItem('ada')
  const { change } = await a.send(item)
  await Promise.all(clients.map(({ frames }) => frames.reaching(change.version)))

  await using proxy = await openDatabaseProxy(t.url)
  const db = await openTestDb({ connections: 2, listenUrl: '', url: proxy.url })
  const queues = openTestQueues(db)
  try {
    const { bucket, envId, id, userId } = item
    const row = { body: {}, bucket, envId, id: uuidv7(placementHash(ENV, userId)), sendId: id, userId }
    await onlyGroup(t.db).sql.begin(tx => enqueue(tx, [{ ...row, queue: 'EXPIRE' }]))
    queues.add(expireJob(a.live))
    proxy.loseAnswer('commit')
    queues.start()
    for (const { frames } of clients) {
      const { payload } = await frames.reaching(change.version + 1)
      assert.deepEqual(payload.removed, [id])
    }
  } finally {
    await queues.stop(0)
    await db.close()
    for (const client of clients) client.close()
  }
})

test('a send', { timeout: 20_000 }, async () => {
  await using t = await testDb()
  await using a = await startNode(t.url, { sweepMs: 1e8 })
  const client = kitClient(a, 'ada')
  await client.frames.route('inbox/head')
  await using proxy = await openDatabaseProxy(t.url)
  const db = await openTestDb({ connections: 2, listenUrl: '', url: proxy.url })
  try {
    const context = { ...testKit(db), live: a.live }
    await context.types.ensure(ENV, 'hello', ['INAPP_WEB'])
    const body = { inapp: { title: 'Hello' }, to: { id: 'ada' }, type: 'hello' }
    const sending = {
      ...parseSend(body, Date.now(), () => []),
      claim: undefined,
      environment: { id: ENV, secret: 's', secrets: ['s'], settings: environmentSettings.parse({}) }
    }
    // A send is one statement, so the answer to it is the answer to the commit.
    proxy.loseAnswer('Hello')
    await assert.rejects(openAcceptor(context, PROVIDERS).accept(sending))
    const { payload } = await client.frames.route('inbox/change')
    assert.equal(payload.items[0].title, 'Hello')
  } finally {
    await db.close()
    client.close()
  }
})

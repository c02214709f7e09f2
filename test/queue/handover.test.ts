// Rows that a stopping node returns are claimed by another node immediately, however long they were claimed.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Node } from '../../server/node.ts'
import type { ClaimedRow } from '../../server/queue/outbox.sql.ts'
import type { Outcome } from '../../server/queue/outcome.ts'
import { waitForListeners } from '../inbox/live/test-node.ts'
import { openTestDb, testDb } from '../support/db.ts'
import { openTestNode } from '../support/test-node.ts'
import { deliver, passTime, put, newRow, signal } from './test-queue.ts'

const SENT: Outcome = { kind: 'sent', ref: 'ok' }

/** A node as the server opens it, without work in its queues. */
async function startNode(url: string): Promise<Node & AsyncDisposable> {
  const db = await openTestDb({ connections: 4, listenUrl: url, url })
  const whole = await openTestNode(db, { NOTIF_ROLE: 'api' }, { intervals: { sweepMs: 1e8 } })
  return {
    ...whole.node,
    async [Symbol.asyncDispose]() {
      await whole[Symbol.asyncDispose]()
      await db.close()
    }
  }
}

test('claims the rows of a node that stops', { timeout: 60_000 }, async ({ mock }) => {
  await using t = await testDb()
  const claimedSignal = signal()
  const newer = signal()
  const claimedRow = Promise.withResolvers<ClaimedRow>()
  const hanging = new Promise<Outcome>(() => {})

  await using dying = await startNode(t.url)
  await using staying = await startNode(t.url)
  await waitForListeners(t.url, 2)

  dying.queues.add(
    deliver(() => {
      claimedSignal.resolve()
      return hanging
    })
  )
  staying.queues.add(
    deliver(async row => {
      if (row.userId === 'newer') newer.resolve()
      else claimedRow.resolve(row)
      return SENT
    })
  )
  await put(t.db, [newRow('older')])
  await passTime(t.db, 60)
  dying.queues.start()
  await claimedSignal.promise
  await put(t.db, [newRow('newer')])
  // The node scans all rows at its start, and then only newer ones. With a stopped clock there is no regular full scan.
  const now = performance.now()
  mock.method(performance, 'now', () => now)
  staying.queues.start()
  await newer.promise
  await dying.stop(0)
  assert.equal((await claimedRow.promise).userId, 'older')
})

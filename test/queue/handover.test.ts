// What a node that ends gives back is taken by another one at once, however long it was held.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { OpenLive } from '../../server/live/open.ts'
import type { Claimed } from '../../server/queue/outbox.ts'
import type { Outcome } from '../../server/queue/outcome.ts'
import { listening, startNode } from '../live/node.ts'
import { testDb } from '../support/db.ts'
import { deliver, lanesOf, newRow, passTime, put, signal } from './support.ts'

const SENT: Outcome = { fate: 'sent', ref: 'ok' }

test('rows of a node that ends', { timeout: 30_000 }, async () => {
  await using t = await testDb()
  const held = signal()
  const newer = signal()
  const taken = Promise.withResolvers<Claimed>()
  const hanging = new Promise<Outcome>(() => {})

  // Each node tells its own live half, and hears the other's.
  let live: OpenLive
  const dying = lanesOf(t.db, { gaveBack: lane => live.gaveBack(lane), poll: 60_000 })
  await using staying = lanesOf(t.db, { poll: 60_000 })
  await using a = await startNode(t.url, { sweep: 1e8 })
  await using _b = await startNode(t.url, { gaveBack: staying.look, sweep: 1e8 })
  live = a.live
  await listening(t.url, 2)

  dying.add(
    deliver(() => {
      held.resolve()
      return hanging
    })
  )
  staying.add(
    deliver(async row => {
      if (row.userId === 'newer') newer.resolve()
      else taken.resolve(row)
      return SENT
    })
  )
  await put(t.db, [newRow('older')])
  await passTime(t.db, 60)
  dying.start()
  await held.promise
  await put(t.db, [newRow('newer')])
  // It has looked at everything just now, and next looks only for what is newer.
  const began = performance.now()
  staying.start()
  await newer.promise
  await dying.stop(0)
  assert.equal((await taken.promise).userId, 'older')
  const took = performance.now() - began
  assert.ok(took < 5000, `${took} ms: that was the full look`)
})

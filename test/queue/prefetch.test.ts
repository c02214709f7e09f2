// A queue prefetches what it delivers in half a second, within limits, and forgets old speeds.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { Prefetch } from '../../server/queue/prefetch.ts'
import { testGenerated } from '../support/generated.ts'

testGenerated('as much as half a second takes at the speed of late', dice => {
  for (let round = 0; round < 200; round += 1) {
    const least = 1 + dice(20)
    const pace = new Prefetch(least)
    let now = dice(1_000_000)
    assert.equal(pace.readRows(now), least, 'nothing is known yet')
    for (let i = 0; i < 20; i += 1) {
      const rows = dice(2000)
      const span = 250 + dice(2000)
      pace.recordCompleted(rows)
      now += span
      const fair = Math.round((rows / span) * 500)
      assert.equal(pace.readRows(now), Math.min(Math.max(fair, least), Math.min(20 * least, 500)))
    }
  }
})

test('measures no speed in a moment, and ignores pauses', () => {
  const pace = new Prefetch(15)
  pace.readRows(0)
  pace.recordCompleted(100)
  assert.equal(pace.readRows(249), 15)
  assert.equal(pace.readRows(250), 200)
  assert.equal(pace.readRows(499), 200)
  assert.equal(pace.readRows(60_000), 15)
})

test('prefetches nothing for queues without prefetch, and keeps a larger fixed prefetch', () => {
  for (const [least, most] of [
    [0, 0],
    [2000, 2000]
  ] as const) {
    const pace = new Prefetch(least)
    pace.readRows(0)
    pace.recordCompleted(1_000_000)
    assert.equal(pace.readRows(1000), most)
  }
})

// A queue claims in advance what it gets through in half a second, within limits, whatever it did long ago.

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

test('a moment does not tell a speed, and a pause is forgotten', () => {
  const pace = new Prefetch(15)
  pace.readRows(0)
  pace.recordCompleted(100)
  assert.equal(pace.readRows(249), 15)
  assert.equal(pace.readRows(250), 200)
  assert.equal(pace.readRows(499), 200)
  assert.equal(pace.readRows(60_000), 15)
})

test('what may not be held in advance never is, and what asks for more than the limit keeps it', () => {
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

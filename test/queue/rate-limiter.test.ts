// Whatever somebody takes when, no second has more than the rate and one batch, and who always asks gets the rate.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { Room } from '../../server/queue/capacity.ts'
import { Breaker } from '../../server/queue/circuit-breaker.ts'
import { Rate } from '../../server/queue/rate-limiter.ts'
import { testGenerated } from '../support/generated.ts'
import { deliver } from './test-queue.ts'

/** Most rows within any second. */
const busiest = (starts: readonly number[]): number => {
  let most = 0
  let first = 0
  for (const [last, at] of starts.entries()) {
    while (starts[first]! <= at - 1000) first += 1
    most = Math.max(most, last - first + 1)
  }
  return most
}

testGenerated('no second has more than its share, however late and however much is asked for', dice => {
  for (let round = 0; round < 100; round += 1) {
    const perSecond = 1 + dice(dice(2) === 0 ? 20 : 2000)
    const rate = new Rate(perSecond)
    const starts: number[] = []
    let now = dice(1_000_000)
    for (let i = 0; i < 500; i += 1) {
      const rows = Math.min(rate.room(now), 1 + dice(100))
      if (rows > 0) rate.took(rows, now)
      for (let row = 0; row < rows; row += 1) starts.push(now)
      now += dice(10) === 0 ? dice(5000) : dice(100)
    }
    const share = perSecond * 1.02 + Math.max(1, Math.ceil(perSecond / 20)) + 1
    assert.ok(busiest(starts) <= share, `${busiest(starts)} within a second at ${perSecond}`)
  }
})

testGenerated('who takes all that there is gets the rate, with timers that are late', dice => {
  for (let round = 0; round < 100; round += 1) {
    const perSecond = 1 + dice(2000)
    const rate = new Rate(perSecond)
    let now = 0
    let rows = 0
    while (now < 20_000) {
      const room = rate.room(now)
      if (room > 0) rate.took(room, now)
      rows += room
      now += Math.ceil(rate.wait(now)) + dice(20)
    }
    assert.ok(rows >= 20 * perSecond * 0.98, `${rows / 20} a second of ${perSecond}`)
  }
})

test('what starts is claimed, and nothing in advance', () => {
  const work = deliver(() => Promise.reject(new Error('never')), { slots: 4 })
  const room = new Room(work, new Breaker(Date.now), new Rate(1000))
  assert.equal(room.rows, 4)
  const slow = new Room(work, new Breaker(Date.now), new Rate(20))
  assert.equal(slow.rows, 1)
  for (const full of [room, slow]) {
    full.claimed([1, 2, 3, 4].map(() => ({ bytes: 1 })))
    assert.deepEqual([full.rows, full.wait], [0, 0], 'until a row ends, not for a time')
  }
})

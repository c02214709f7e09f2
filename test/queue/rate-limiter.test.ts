// The rate limiter allows at most the rate and one batch in any second, and the full rate under load.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { Capacity } from '../../server/queue/capacity.ts'
import { CircuitBreaker } from '../../server/queue/circuit-breaker.ts'
import { RateLimiter } from '../../server/queue/rate-limiter.ts'
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
    const rate = new RateLimiter(perSecond)
    const starts: number[] = []
    let now = dice(1_000_000)
    for (let i = 0; i < 500; i += 1) {
      const rows = Math.min(rate.readPermits(now), 1 + dice(100))
      if (rows > 0) rate.usePermits(rows, now)
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
    const rate = new RateLimiter(perSecond)
    let now = 0
    let rows = 0
    while (now < 20_000) {
      const room = rate.readPermits(now)
      if (room > 0) rate.usePermits(room, now)
      rows += room
      now += Math.ceil(rate.readWaitMs(now)) + dice(20)
    }
    assert.ok(rows >= 20 * perSecond * 0.98, `${rows / 20} a second of ${perSecond}`)
  }
})

test('claims only rows that can start, and none in advance', () => {
  const work = deliver(() => Promise.reject(new Error('never')), { concurrency: 4 })
  const room = new Capacity(work, new CircuitBreaker(Date.now), new RateLimiter(1000))
  assert.equal(room.freeRows, 4)
  const slow = new Capacity(work, new CircuitBreaker(Date.now), new RateLimiter(20))
  assert.equal(slow.freeRows, 1)
  for (const full of [room, slow]) {
    full.addClaimed([1, 2, 3, 4].map(() => ({ bodyBytes: 1 })))
    assert.deepEqual([full.freeRows, full.waitMs], [0, 0], 'until a row ends, not for a time')
  }
})

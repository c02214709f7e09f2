// Back-off, circuit breaker, results and wake signal, with thousands of generated cases.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import {
  computeBackoffMs,
  clampRetryAfter,
  BACKOFF_DELAYS_MS,
  MAX_ATTEMPTS
} from '../../server/queue/backoff.ts'
import { CircuitBreaker, PAUSES_MS } from '../../server/queue/circuit-breaker.ts'
import { toResult } from '../../server/queue/result.ts'
import { WakeSignal } from '../../server/queue/wake-signal.ts'
import { testGenerated } from '../support/generated.ts'
import { random } from '../support/random.ts'

describe('back-off', () => {
  testGenerated('grows with every try, stays within a fifth of its step, and ends with the tries', dice => {
    const chance = () => dice(1_000_000) / 1_000_000
    for (let n = 0; n < 2000; n++) {
      let last = 0
      for (let left = MAX_ATTEMPTS - 1; left > 0; left--) {
        const base = BACKOFF_DELAYS_MS[MAX_ATTEMPTS - 1 - left]!
        const pause = computeBackoffMs(left, chance)!
        assert.ok(pause >= 0.8 * base - 1 && pause <= 1.2 * base + 1, `${pause} of ${base}`)
        assert.ok(pause > last, `${pause} after ${last}`)
        last = pause
      }
      assert.equal(computeBackoffMs(0, chance), undefined)
      assert.equal(computeBackoffMs(-1, chance), undefined)
    }
    assert.ok(
      computeBackoffMs(1000, chance)! <= 1.2 * BACKOFF_DELAYS_MS[0]!,
      'more tries than planned begin at the beginning'
    )
  })

  test('spreads the retries of rows that failed together', () => {
    const dice = random(7)
    const pauses = new Set(
      Array.from({ length: 1000 }, () => computeBackoffMs(7, () => dice(1_000_000) / 1_000_000))
    )
    assert.ok(pauses.size > 600)
  })

  test('follows Retry-After within limits', () => {
    const base = BACKOFF_DELAYS_MS[0]!
    const half = () => 0.5
    assert.equal(computeBackoffMs(7, half, base + 1000), base + 1000)
    assert.equal(computeBackoffMs(7, half, 1), base)
    assert.equal(computeBackoffMs(7, half, 1e12), 2 * base)
    for (const garbage of [-1, NaN, Infinity, undefined])
      assert.equal(computeBackoffMs(7, half, garbage), base)
    assert.equal(clampRetryAfter(3000, 5000), 5000)
  })
})

describe('the circuit breaker', () => {
  const at = (start = 0) => {
    const time = { now: start }
    return { breaker: new CircuitBreaker(() => time.now), time }
  }

  test('pauses after one failure, probes with one row, and resumes after a success', () => {
    const { breaker, time } = at()
    assert.equal(breaker.allowedRows(10, 0), 10)
    assert.equal(breaker.observe('fault'), true)
    assert.equal(breaker.pauseLeftMs, PAUSES_MS[0])
    assert.equal(breaker.allowedRows(10, 0), 0)
    time.now += PAUSES_MS[0]!
    assert.equal(breaker.allowedRows(10, 3), 0, 'what is still under way comes first')
    assert.equal(breaker.allowedRows(10, 0), 1)
    assert.equal(breaker.observe('success'), false)
    assert.equal(breaker.allowedRows(10, 0), 10)
  })

  test('does not extend a pause if the clock is set back', () => {
    const { breaker, time } = at(7_200_000)
    breaker.observe('fault')
    time.now -= 3_600_000
    assert.equal(breaker.pauseLeftMs, 0)
    assert.equal(breaker.allowedRows(10, 0), 1)
  })

  test('extends the pause while probes fail, and starts over after a success', () => {
    const { breaker, time } = at()
    const rests: number[] = []
    const began = time.now
    for (let n = 0; n < 7; n++) {
      breaker.allowedRows(1, 0)
      assert.equal(breaker.observe(n % 2 ? 'fault' : n === 0 ? 'fault' : 'failure'), true)
      rests.push(breaker.pauseLeftMs)
      time.now += breaker.pauseLeftMs
    }
    assert.deepEqual(rests, [...PAUSES_MS, PAUSES_MS.at(-1), PAUSES_MS.at(-1)])
    assert.equal(breaker.fault!.since.getTime(), began, 'since the first fault')
    breaker.allowedRows(1, 0)
    breaker.observe('success')
    breaker.observe('fault')
    assert.equal(breaker.pauseLeftMs, PAUSES_MS[0])
  })

  test('pauses once for many failures of one fault, and ignores a late success', () => {
    const { breaker } = at()
    for (let n = 0; n < 50; n++) assert.equal(breaker.observe('fault'), n === 0)
    breaker.observe('success')
    assert.equal(breaker.pauseLeftMs, PAUSES_MS[0])
  })

  test('pauses after ten consecutive failures within a minute, and not for slower or interrupted ones', () => {
    const quick = at()
    for (let n = 0; n < 9; n++) assert.equal(quick.breaker.observe('failure'), false)
    assert.equal(quick.breaker.observe('failure'), true)
    const slow = at()
    for (let n = 0; n < 50; n++) {
      slow.time.now += 10_000
      assert.equal(slow.breaker.observe('failure'), false)
    }
    const broken = at()
    for (let n = 0; n < 50; n++)
      assert.equal(broken.breaker.observe(n % 9 === 8 ? 'success' : 'failure'), false)
  })

  test('limits Retry-After to between one pause and two', () => {
    for (const [asked, held] of [
      [3000, 5000],
      [8000, 8000],
      [1e9, 10_000],
      [-1, 5000],
      [NaN, 5000]
    ] as const) {
      const { breaker } = at()
      breaker.observe('fault', asked)
      assert.equal(breaker.pauseLeftMs, held)
    }
  })
})

describe('result', () => {
  const rules = { random: () => 0.5, pauseLeftMs: 5000, whenUncertain: 'retry' } as const
  const of = (kind: 'retry' | 'pause' | 'dead' | 'gone' | 'uncertain' | 'crash', attemptsLeft = 3) =>
    toResult({ attemptsLeft }, { code: 'c', detail: 'd', kind }, rules)

  test('maps each outcome to its result', () => {
    assert.deepEqual(toResult({ attemptsLeft: 0 }, { kind: 'sent', ref: 'r' }, rules), {
      content: undefined,
      outcome: 'sent',
      ref: 'r'
    })
    assert.equal(of('pause', 0).isAttemptReturned, true, 'a pause needs no try')
    assert.equal(of('pause').retryInMs, 5000)
    assert.deepEqual([of('retry').retryInMs !== undefined, of('retry').isAttemptReturned], [true, undefined])
    assert.deepEqual([of('retry', 0).isDeadLetter, of('retry', 0).outcome], [true, 'dead'])
    assert.deepEqual([of('dead').isDeadLetter, of('dead').retryInMs], [true, undefined])
    assert.deepEqual([of('gone').isDeadLetter, of('gone').outcome], [undefined, 'gone'])
    assert.deepEqual([of('crash').outcome, of('crash', 0).outcome], ['retry', 'dead'])
    assert.equal(of('uncertain').outcome, 'uncertain')
    const call = toResult(
      { attemptsLeft: 3 },
      { code: 'c', detail: 'd', kind: 'uncertain' },
      { ...rules, whenUncertain: 'dead' }
    )
    assert.deepEqual([call.isDeadLetter, call.outcome], [true, 'dead'])
  })
})

describe('wake signal', () => {
  test('ends the next wait once if notified before it', async () => {
    const bell = new WakeSignal()
    bell.notify()
    bell.notify()
    assert.equal(await bell.wait(), true)
    assert.equal(await bell.wait(1), false)
    const waiting = bell.wait()
    bell.notify()
    assert.equal(await waiting, true)
  })
})

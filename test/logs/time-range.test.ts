// The span of time that a query of the log may look at.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { rangeOf, type Range } from '../../server/logs/query/time-range.ts'

const DAY = 86_400_000
const NOW = Date.parse('2026-11-20T12:00:00Z')
const OLDEST = NOW - 30 * DAY
const AHEAD = NOW + 5 * 60_000

const within = (startTime?: number, endTime?: number) => rangeOf({ endTime, startTime }, 30, NOW)

test('both ends are part of it, to the millisecond, in seconds as well', () => {
  const range: Range = { from: NOW - 5_000, to: NOW - 2_999 }
  assert.deepEqual(within(NOW - 5_000, NOW - 3_000), range)
  assert.deepEqual(within(NOW / 1000 - 5, NOW / 1000 - 3), range)
})

test('it is all that is kept where nothing is said, also of nodes whose clocks are ahead', () => {
  for (const range of [rangeOf(undefined, 30, NOW), within(), within(undefined, NOW + DAY)])
    assert.deepEqual(range, { from: OLDEST, to: AHEAD })
})

test('who asks for all that is kept asks a moment later, and gets no more than that', () => {
  assert.deepEqual(within(OLDEST - 60_000), { from: OLDEST, to: AHEAD })
  const pointerOf = (range: ReturnType<typeof within>) => 'pointer' in range && range.pointer
  assert.equal(pointerOf(within(OLDEST - 60_001)), '#/dateRangeFilter/startTime')
  assert.equal(pointerOf(within(NOW - 1_000, NOW - 2_000)), '#/dateRangeFilter/endTime')
})

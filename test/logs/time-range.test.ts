// The time range of a log query.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { resolveTimeRange, type TimeRange } from '../../server/logs/query/time-range.ts'

const DAY = 86_400_000
const NOW = Date.parse('2026-11-20T12:00:00Z')
const OLDEST = NOW - 30 * DAY
const AHEAD = NOW + 5 * 60_000

const within = (startTime?: number, endTime?: number) => resolveTimeRange({ endTime, startTime }, 30, NOW)

test('includes both ends, to the millisecond, in seconds as well', () => {
  const range: TimeRange = { from: NOW - 5_000, to: NOW - 2_999 }
  assert.deepEqual(within(NOW - 5_000, NOW - 3_000), range)
  assert.deepEqual(within(NOW / 1000 - 5, NOW / 1000 - 3), range)
})

test('covers the whole retention by default, also sends of nodes whose clocks are ahead', () => {
  for (const range of [resolveTimeRange(undefined, 30, NOW), within(), within(undefined, NOW + DAY)])
    assert.deepEqual(range, { from: OLDEST, to: AHEAD })
})

test('accepts a request for the whole retention that arrives a moment later', () => {
  assert.deepEqual(within(OLDEST - 60_000), { from: OLDEST, to: AHEAD })
  const pointerOf = (range: ReturnType<typeof within>) => 'pointer' in range && range.pointer
  assert.equal(pointerOf(within(OLDEST - 60_001)), '#/dateRangeFilter/startTime')
  assert.equal(pointerOf(within(NOW - 1_000, NOW - 2_000)), '#/dateRangeFilter/endTime')
})

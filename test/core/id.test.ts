// Ids contain the time of their creation, also if the clock jumps.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { uuidv7 } from '../../server/core/id.ts'

const DAY = 86_400_000
const PLACE = 0xabcd

const timeOf = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

test('returns to the right time after a clock that was far ahead', () => {
  const now = Date.now()
  assert.equal(timeOf(uuidv7(PLACE, now + 20 * DAY)), now + 20 * DAY)
  assert.equal(timeOf(uuidv7(PLACE, now)), now)
})

test('keeps ids in the order of their creation if the clock is set back by seconds', () => {
  const now = Date.now() + 30 * DAY
  const ids = [0, 1, -3_000, -2_999, 0].map(step => uuidv7(PLACE, now + step))
  assert.deepEqual(ids.toSorted(), ids)
})

test('sorts many ids of one millisecond by creation', () => {
  const now = Date.now() + 60 * DAY
  const ids = Array.from({ length: 10_000 }, () => uuidv7(PLACE, now))
  assert.deepEqual(ids.toSorted(), ids)
  assert.equal(new Set(ids).size, ids.length)
})

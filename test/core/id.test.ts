// Ids and a clock that jumps: each is of the time that it was made for.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { uuidv7 } from '../../server/core/id.ts'

const DAY = 86_400_000
const PLACE = 0xabcd

const timeOf = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

test('a clock that was far ahead for a moment does not date all later ids', () => {
  const now = Date.now()
  assert.equal(timeOf(uuidv7(PLACE, now + 20 * DAY)), now + 20 * DAY)
  assert.equal(timeOf(uuidv7(PLACE, now)), now)
})

test('a clock that is set back by seconds keeps ids in the order of their making', () => {
  const now = Date.now() + 30 * DAY
  const ids = [0, 1, -3_000, -2_999, 0].map(step => uuidv7(PLACE, now + step))
  assert.deepEqual(ids.toSorted(), ids)
})

test('ids of one millisecond sort by making, however many', () => {
  const now = Date.now() + 60 * DAY
  const ids = Array.from({ length: 10_000 }, () => uuidv7(PLACE, now))
  assert.deepEqual(ids.toSorted(), ids)
  assert.equal(new Set(ids).size, ids.length)
})

// Failures of generated cases are counterexamples, except those of the machine.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { integer, property } from 'fast-check'

import { asFinding, checkProperty } from './generated.ts'
import { Counterexample, SEED } from './random.ts'

describe('an error counts as a counterexample', () => {
  test('if an assertion or the code failed', async () => {
    for (const work of [() => assert.equal(1, 2), () => (undefined as unknown as Buffer).toString()]) {
      const failed = asFinding(work, { keep: 'Keep it.', seed: 3 })
      await assert.rejects(failed, (error: Error) => {
        assert.ok(error instanceof Counterexample)
        assert.match(error.message, /TEST_SEED=3\b.*\nKeep it\.$/)
        return true
      })
    }
  })

  test('not if a connection broke', async () => {
    const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
    await assert.rejects(
      asFinding(() => Promise.reject(reset)),
      reset
    )
  })
})

test('a failed property reports its smallest input as a line to keep', async () => {
  const isSmall = property(integer({ max: 1000, min: 0 }), value => value < 100)
  await assert.rejects(checkProperty(isSmall), (error: Error) => {
    assert.ok(error instanceof Counterexample)
    assert.match(error.message, new RegExp(`TEST_SEED=${SEED}\\b.*\\n.*add \\[100\\] to the examples`))
    return true
  })
})

test('checks a kept example with every seed', async () => {
  const isOther = property(integer(), value => value !== 123_456_789)
  await assert.rejects(checkProperty(isOther, { examples: [[123_456_789]], runs: 1 }), Counterexample)
})

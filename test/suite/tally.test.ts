// A second run forgives a failure only where the very test passes.

import assert from 'node:assert/strict'
import test from 'node:test'

import { type Failure, type FilesRan, nameOf, steadied, WHOLE } from './tally.ts'

const failure = (test: string, where = 'a.test.ts'): Failure => ({ test, where, why: 'it did' })

const ran = (failures: readonly Failure[], passed: readonly Failure[] = []): FilesRan => ({
  failures,
  names: new Set(passed.map(nameOf)),
  passed: passed.length
})

test('what passes the second time is unsteady', async () => {
  const asked: (readonly string[])[] = []
  const tally = await steadied(ran([failure('one'), failure('two')], [failure('three')]), files => {
    asked.push(files)
    return Promise.resolve(ran([], [failure('one'), failure('two'), failure('three')]))
  })
  assert.deepEqual(asked, [['a.test.ts']])
  assert.deepEqual(tally, { failures: [], passed: 3, unsteady: [failure('one'), failure('two')] })
})

test('what fails again, is skipped, or is not there any more has failed', async () => {
  const first = [failure('again'), failure('skipped'), failure('steady'), failure(WHOLE, 'b.test.ts')]
  const second = ran([failure('again'), failure('new')], [failure('steady'), failure('other', 'b.test.ts')])
  const tally = await steadied(ran(first), () => Promise.resolve(second))
  assert.deepEqual(tally.failures.map(nameOf), [
    'a.test.ts: again',
    'a.test.ts: new',
    'a.test.ts: skipped',
    `b.test.ts: ${WHOLE}`
  ])
  assert.deepEqual(tally.unsteady, [failure('steady')])
  assert.equal(tally.passed, 1)
})

test('nothing runs again where nothing failed', async () => {
  const first = ran([], [failure('one')])
  assert.equal(await steadied(first, () => assert.fail('it ran')), first)
})

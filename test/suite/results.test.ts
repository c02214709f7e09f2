// A second run forgives a failure only if the very test passes, and never a generated counterexample.

import assert from 'node:assert/strict'
import test from 'node:test'

import { Counterexample } from '../support/random.ts'
import { rerunFailed, testName, WHOLE, type Failure, type FileResults } from './results.ts'

const failure = (test: string, where = 'a.test.ts', why = 'it did'): Failure => ({ test, where, why })

const results = (failures: readonly Failure[], passed: readonly Failure[] = []): FileResults => ({
  failures,
  names: new Set(passed.map(testName)),
  passed: passed.length,
  seconds: new Map([['a.test.ts', 1]])
})

test('a test that passes the second time is unsteady', async () => {
  const asked: (readonly string[])[] = []
  const first = results([failure('one'), failure('two')], [failure('three')])
  const found = await rerunFailed(first, files => {
    asked.push(files)
    return Promise.resolve(results([], [failure('one'), failure('two'), failure('three')]))
  })
  assert.deepEqual(asked, [['a.test.ts']])
  const unsteady = [failure('one'), failure('two')]
  assert.deepEqual(found, { failures: [], passed: 3, seconds: first.seconds, unsteady })
})

test('a test that fails again, is skipped, or does not run the second time has failed', async () => {
  const first = [failure('again'), failure('skipped'), failure('steady'), failure(WHOLE, 'b.test.ts')]
  const second = results(
    [failure('again'), failure('new')],
    [failure('steady'), failure('other', 'b.test.ts')]
  )
  const found = await rerunFailed(results(first), () => Promise.resolve(second))
  assert.deepEqual(found.failures.map(testName), [
    'a.test.ts: again',
    'a.test.ts: new',
    'a.test.ts: skipped',
    `b.test.ts: ${WHOLE}`
  ])
  assert.deepEqual(found.unsteady, [failure('steady')])
  assert.equal(found.passed, 1)
})

test('a generated counterexample has failed, also if its test passes the second time', async () => {
  const { message } = new Counterexample('2 = 3', { keep: 'Add 2 to CASES.', seed: 7 })
  assert.match(message, /2 = 3\n.*TEST_SEED=7.*\nAdd 2 to CASES\.$/)
  const first = [failure('generated', 'a.test.ts', message), failure('other')]
  const found = await rerunFailed(results(first), () =>
    Promise.resolve(results([], [failure('generated'), failure('other')]))
  )
  assert.deepEqual(found.failures, [first[0]])
  assert.deepEqual(found.unsteady, [first[1]])
  const alone = results([first[0]!])
  assert.equal(await rerunFailed(alone, () => assert.fail('it ran again')), alone)
})

test('nothing runs again if nothing failed', async () => {
  const first = results([], [failure('one')])
  assert.equal(await rerunFailed(first, () => assert.fail('it ran again')), first)
})

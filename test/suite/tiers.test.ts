// Every test file is in one tier, and test/README.md lists it there.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'

import { MAIN } from '../citus/files.ts'
import { findTestFiles, listedFiles, README, writeTables } from './list.ts'
import { BOTH, CLOCKED, FULL, isInTier, isListed, QUICK, tierName } from './tiers.ts'

const files = findTestFiles()

test('each entry of the lists names tests that exist', () => {
  const empty = [...BOTH, ...CLOCKED, ...FULL, ...QUICK].filter(
    entry => !files.some(file => isListed([entry], file))
  )
  assert.deepEqual(empty, [])
})

test('every file of npm run test:citus exists', () => {
  assert.deepEqual(
    MAIN.filter(file => !files.includes(file)),
    []
  )
})

test('an exception from a folder of npm run test:full is in such a folder', () => {
  assert.deepEqual(
    QUICK.filter(file => !isListed(FULL, file)),
    []
  )
})

test('a file of both tiers runs in both, every other file in one', () => {
  for (const file of files) {
    const tiers = (['quick', 'full'] as const).filter(tier => isInTier(file, tier))
    assert.equal(tiers.length, BOTH.includes(file) ? 2 : 1, file)
  }
})

test('test/README.md lists every test file once, in the table of its tier', () => {
  const listed = listedFiles(readFileSync(README, 'utf8')).map(({ file, tier }) => `${tier}: ${file}`)
  const expected = files.map(file => `${tierName(file)}: ${file}`)
  assert.deepEqual(listed.toSorted(), expected.toSorted(), 'run `npm run test:list`')
})

test('a file without a new time keeps the one that is listed', () => {
  const [one, other] = ['test/a.test.ts', 'test/fault/b.test.ts'] as const
  const first = writeTables('# Tests\n', [one, other], { [one]: 1.25, [other]: 7 })
  const second = writeTables(first, [one, other], { [one]: 3 })
  assert.deepEqual(listedFiles(second), [
    { file: one, seconds: 3, tier: 'quick' },
    { file: other, seconds: 7, tier: 'full' }
  ])
})

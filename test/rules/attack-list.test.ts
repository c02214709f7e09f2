// The list of attacks in test/security/README.md has the numbers of the test files.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

import { ATTACKS } from '../security/attacks/attacks.ts'
import { PAGE, writePage } from './attack-list.ts'

test('lists every attack by its class; node test/rules/attack-list.ts writes the numbers', () => {
  const page = readFileSync(PAGE, 'utf8')
  assert.equal(page, writePage(page))
})

test('has no attack twice', () => {
  for (const [name, attacks] of Object.entries(ATTACKS)) {
    const names = attacks.map(([attack]) => attack)
    assert.deepEqual(names, [...new Set(names)], name)
  }
})

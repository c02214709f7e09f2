// What the README says about settings, tests and libraries is what there is.

import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

import { settingsTable, tableInReadme } from './settings-table.ts'

const ROOT = join(import.meta.dirname, '../..')
const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')

test('the table of settings is that of the configuration', () => {
  assert.equal(tableInReadme(), settingsTable(), 'write it anew with: node test/rules/settings-table.ts')
})

test('every test and picture that it names exists', () => {
  const named = [...readme.matchAll(/(?:`|\()((?:test|demo|server)\/[\w./-]+)(?:`|\))/g)].map(
    ([, path]) => path!
  )
  assert.ok(named.length > 8, 'the README names fewer files than it should')
  assert.deepEqual(
    named.filter(path => !existsSync(join(ROOT, path))),
    []
  )
})

test('every dependency has earned its line', () => {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  const table = readme.slice(readme.indexOf('## What it stands on'), readme.indexOf('## Working on it'))
  assert.deepEqual(
    Object.keys(dependencies).filter(name => !new RegExp(String.raw`[ ,|]${name}[ ,|]`).test(table)),
    []
  )
})

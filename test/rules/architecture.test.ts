// docs/architecture.md names paths that exist, and every folder of the server and of the elements.

import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '../..')
const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8')

const PATH = /`((?:server|components|test|docs|demo|service-worker)\/[\w./-]*|vite\.config\.ts)`/g
const named = new Set([...page.matchAll(PATH)].map(([, path]) => path!))

test('every path of the page exists', () => {
  assert.ok(named.size > 50, `${named.size} paths`)
  assert.deepEqual(
    [...named].filter(path => !existsSync(join(ROOT, path))),
    []
  )
})

test('every folder of the server and of the elements is in a table of the page', () => {
  for (const root of ['server', 'components']) {
    const folders = readdirSync(join(ROOT, root), { withFileTypes: true }).filter(one => one.isDirectory())
    assert.deepEqual(
      folders.map(({ name }) => `${root}/${name}/`).filter(path => !named.has(path)),
      []
    )
  }
})

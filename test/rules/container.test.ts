// The Docker image contains every file that the server imports, and compose.yaml and the image use only known settings.

import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

import { parse } from 'yaml'

import { readConfig } from '../../server/config/config.ts'
import { imports, sources } from './sources.ts'

const ROOT = join(import.meta.dirname, '../..')
const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))

/** @returns the paths that a stage copies from the checkout */
const copied = (stage: string): string[] =>
  [...stage.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, from]) => from!.split(' '))

test('every path that the image copies exists', () => {
  assert.ok(copied(dockerfile).length > 8)
  assert.deepEqual(
    copied(dockerfile).filter(path => !existsSync(join(ROOT, path))),
    []
  )
})

test('npm install in a checkout always installs development packages, and the image installs none', () => {
  assert.match(readFileSync(join(ROOT, '.npmrc'), 'utf8'), /^include=dev$/m)
  // Its `include=dev` would override --omit.
  assert.ok(!copied(last).includes('.npmrc'))
  assert.match(last, /npm ci --omit=dev /)
})

test('the image has every file that the server imports', () => {
  const there = [...copied(last), 'dist']
  const isThere = (path: string): boolean => there.some(one => path === one || path.startsWith(`${one}/`))
  const missing = sources('server', ['.ts'])
    // For tests of back ends, which start the server from a checkout.
    .filter(({ path }) => !path.startsWith('server/testing/'))
    .flatMap(source => imports(source).map(name => `${source.path}: ${name}`))
    .filter(line => /: (?:server|components|demo|service-worker|test)\//.test(line))
    .filter(line => !isThere(line.split(': ')[1]!))
  assert.deepEqual(missing, [])
})

test('the settings of the image and of compose.yaml are settings of the server', () => {
  const { services } = parse(readFileSync(join(ROOT, 'compose.yaml'), 'utf8')) as {
    services: { 'notif-kit': { environment: Record<string, string> } }
  }
  const filled = Object.entries(services['notif-kit'].environment).map(([name, value]) => [
    name,
    value.replaceAll(/\$\{[^}]+\}/g, 'a-value-of-32-characters-or-more-')
  ])
  const image = [.../^ENV (.+)$/m.exec(last)![1]!.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [
    name,
    value
  ])
  const read = readConfig(Object.fromEntries([...image, ...filled]) as Record<string, string>)
  assert.deepEqual('problems' in read ? read.problems : [], [])
})

test('the logs of all services in compose.yaml have a size limit, because one line per request fills a disk', () => {
  const { services } = parse(readFileSync(join(ROOT, 'compose.yaml'), 'utf8'), { merge: true }) as {
    services: Record<string, { logging?: { options?: Record<string, string> } }>
  }
  for (const [name, { logging }] of Object.entries(services)) {
    assert.match(logging?.options?.['max-size'] ?? '', /^\d+m$/, name)
    assert.match(logging?.options?.['max-file'] ?? '', /^\d+$/, name)
  }
})

test('the image and the unit of the operator page run with the flags of npm start', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: { start: string }
  }
  const flags = scripts.start.split(' ').filter(word => word.startsWith('--'))
  assert.ok(flags.length > 0)
  const [, command] = /^CMD (.+)$/m.exec(last)!
  assert.deepEqual(JSON.parse(command!), ['node', ...flags, 'server/main.ts'])
  const page = readFileSync(join(ROOT, 'docs/operator.md'), 'utf8')
  assert.ok(
    page.includes(`\nExecStart=/opt/notif-kit/node_modules/.bin/node ${flags.join(' ')} server/main.ts\n`)
  )
})

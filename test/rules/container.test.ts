// The image has all that the server imports, and the files beside it set what there is to set.

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

/** What is copied from the checkout. */
const copied = (stage: string): string[] =>
  [...stage.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, from]) => from!.split(' '))

test('what is copied into the image exists', () => {
  assert.ok(copied(dockerfile).length > 8)
  assert.deepEqual(
    copied(dockerfile).filter(path => !existsSync(join(ROOT, path))),
    []
  )
})

test('a checkout gets Node 24 and what builds the pages whatever NODE_ENV says, and the image gets neither', () => {
  assert.match(readFileSync(join(ROOT, '.npmrc'), 'utf8'), /^include=dev$/m)
  // It would count for more than --omit.
  assert.ok(!copied(last).includes('.npmrc'))
  assert.match(last, /npm ci --omit=dev /)
})

test('the server imports nothing that the image has not', () => {
  const there = [...copied(last), 'dist']
  const isThere = (path: string): boolean => there.some(one => path === one || path.startsWith(`${one}/`))
  const missing = sources('server', ['.ts'])
    // For the tests of back ends: it starts a checkout.
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

test('what the services of compose.yaml log is bounded, as journald bounds it: a line for each request fills a disk', () => {
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

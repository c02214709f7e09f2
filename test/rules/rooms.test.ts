// Every line of code knows its room: where the environment is read, who may import whom, how long a file may be.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

import { imports, sources, type Source } from './sources.ts'

const LONGEST = 250

const server = sources('server', ['.ts'])
// What packs the kit runs on Node: it is no part of it.
const components = sources('components', ['.ts']).filter(
  ({ path }) => !path.startsWith('components/package/')
)

test('the environment is read only where the configuration is made', () => {
  const allowed = new Set(['server/config/config.ts', 'server/main.ts'])
  const wrong = server.filter(
    ({ path, text }) => /process\.env|'node:process'|process\[/.test(text) && !allowed.has(path)
  )
  assert.deepEqual(
    wrong.map(({ path }) => path),
    []
  )
})

/** Room of a file of the kit; a room may import itself and the rooms listed for it. */
const BELOW: Readonly<Record<string, readonly string[]>> = {
  // The gear of an inbox fetches the dialog.
  inbox: ['preferences-popup', 'internal', 'store', 'transport', 'protocol', 'messages'],
  internal: ['store', 'transport', 'protocol', 'messages'],
  messages: [],
  preferences: ['internal', 'store', 'protocol', 'messages'],
  'preferences-popup': ['preferences', 'internal', 'store', 'protocol', 'messages'],
  protocol: [],
  store: ['protocol', 'transport'],
  transport: ['protocol']
}

/** The folder of any other element: it stands on all rooms but the transport, which is loaded after first paint. */
const ELEMENT = ['inbox', 'internal', 'store', 'protocol', 'messages']

/** Imports that go up, or out of the kit. */
function upward(source: Source): string[] {
  const [, room, file] = source.path.split('/')
  if (file === undefined) return imports(source).filter(name => name.startsWith('server/'))
  const below = BELOW[room!]
  const fits = (name: string): boolean => {
    if (!name.startsWith('components/')) return !/^(?:server|test|demo)\/|^node:|^#/.test(name)
    const target = name.split('/')[1]!
    // Elements may be made of elements.
    return target === room || (below ?? ELEMENT).includes(target) || (!below && !(target in BELOW))
  }
  return imports(source)
    .filter(name => !fits(name))
    .map(name => `${source.path} imports ${name}`)
}

test('imports of the kit go only down', () => {
  assert.deepEqual(components.flatMap(upward), [])
})

test('the rule sees an import that goes up', () => {
  const seen = (path: string, name: string) =>
    upward({ path: `components/${path}`, text: `import { x } from '${name}'` }).length
  assert.equal(seen('store/a.ts', '../internal/b.ts'), 1)
  assert.equal(seen('protocol/a.ts', '../store/b.ts'), 1)
  assert.equal(seen('transport/a.ts', '../store/b.ts'), 1)
  assert.equal(seen('internal/a.ts', '../inbox/inbox.ts'), 1)
  assert.equal(seen('internal/a.ts', '../popup/popup.ts'), 1)
  assert.equal(seen('preferences-popup/a.ts', '../inbox/inbox.ts'), 1)
  assert.equal(seen('popup/a.ts', '../transport/b.ts'), 1)
  assert.equal(seen('store/a.ts', '../../server/id.ts'), 1)
  assert.equal(seen('store/a.ts', 'node:fs'), 1)
  assert.equal(seen('launcher/a.ts', '../popup/popup.ts'), 0)
  assert.equal(seen('popup/a.ts', '../internal/b.ts'), 0)
  assert.equal(seen('internal/a.ts', 'lit'), 0)
})

test('stores, transports and the protocol know no document', () => {
  const wrong = components
    .filter(({ path }) => /^components\/(store|protocol)\//.test(path))
    .filter(({ text }) => /\b(?:document|window|navigator|localStorage)\./.test(text))
  assert.deepEqual(
    wrong.map(({ path }) => path),
    []
  )
})

/** What a program that is not a page takes from the kit beside the protocol. */
const foreign = (source: Source): string[] =>
  imports(source)
    .filter(name => name.startsWith('components/') || (name.startsWith('#') && name !== '#protocol'))
    .map(name => `${source.path} imports ${name}`)

test('the server and the worker take from the kit only the protocol', () => {
  const worker = existsSync(join(import.meta.dirname, '../../service-worker'))
    ? sources('service-worker', ['.ts'])
    : []
  assert.deepEqual([...server, ...worker].flatMap(foreign), [])
  const wrong = { path: 'server/a/b.ts', text: "import { x } from '../../components/store/index.ts'" }
  assert.equal(foreign(wrong).length, 1)
  assert.equal(foreign({ path: 'server/a.ts', text: "import '#store'" }).length, 1)
})

test('the client for back-ends imports nothing but itself', () => {
  const own = server.filter(({ path }) => path.startsWith('server/client/'))
  assert.ok(own.length > 10)
  const wrong = own.flatMap(imports).filter(name => !name.startsWith('server/client/'))
  assert.deepEqual(wrong, [])
})

test('every file opens with the sentence that says its idea', () => {
  const wrong = [...server, ...components].filter(({ text }) => !/^(?:\/\/|\/\*)/.test(text))
  assert.deepEqual(
    wrong.map(({ path }) => path),
    []
  )
})

test('a file is one idea', () => {
  const wrong = [...server, ...components]
    .map(({ path, text }) => ({ lines: text.split('\n').length, path }))
    .filter(({ lines }) => lines > LONGEST)
  assert.deepEqual(wrong, [])
})

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
  // In start.ts, npm says that it is the parent.
  const allowed = new Set([
    'server/config/config.ts',
    'server/distribute.ts',
    'server/main.ts',
    'server/start.ts'
  ])
  const wrong = server.filter(
    ({ path, text }) => /process\.env|'node:process'|process\[/.test(text) && !allowed.has(path)
  )
  assert.deepEqual(
    wrong.map(({ path }) => path),
    []
  )
})

/** Folders of the kit from the bottom up: a file imports its own folder and those above it in this list. */
const ORDER = [
  'protocol',
  'messages',
  'store',
  'store/offline',
  'store/outbox',
  'store/inbox',
  'store/view',
  'store/preferences',
  'transport',
  'live',
  'announce',
  'core',
  'headless',
  'view',
  'counter',
  'provider',
  'preferences',
  // The gear of an inbox fetches the dialog.
  'preferences-popup',
  'inbox/base',
  'inbox/content',
  'inbox/item',
  'inbox/help',
  'inbox/menu',
  'inbox/list',
  'inbox/pager',
  'inbox/header',
  'inbox/notes',
  'inbox/undo',
  'inbox/tabs',
  'inbox',
  'inbox/panel',
  'toast',
  'popup',
  'launcher',
  'feed',
  // Its common texts; the shell, which lists the screens, comes last.
  'admin',
  'admin/words',
  'admin/api',
  'admin/view',
  'admin/palette',
  'admin/sign-in',
  'admin/now',
  'admin/sends',
  'admin/send',
  'admin/dead-letters',
  'admin/user',
  'admin/types',
  'admin/type',
  'admin/broadcasts',
  'admin/schedules',
  'admin/settings',
  'admin/sandbox',
  'admin/first-run',
  'admin/shell'
]

/** Elements know neither the transport nor the connection, which are loaded after first paint. */
const ELEMENTS = new Set([
  'counter',
  'provider',
  'preferences',
  'preferences-popup',
  'popup',
  'launcher',
  'toast',
  'feed'
])
const LATE = new Set(['transport', 'live'])

/** The longest folder of the list that has the file; undefined for a file of `components/` itself. */
const roomOf = (path: string): string | undefined =>
  ORDER.filter(room => path.startsWith(`components/${room}/`))
    .toSorted((one, other) => one.length - other.length)
    .at(-1)

/** The dashboard is a client of the documented routes: it takes their types, and no code. */
const TYPES_OF_CLIENT = /(?:import|export) type \{[^}]*\} from '(?:\.\.\/)+server\/client\/[\w-]+\.ts'/g

/** Imports that go up, or out of the kit. */
function upward({ path, text }: Source): string[] {
  const room = roomOf(path)
  const source = { path, text: room === 'admin/api' ? text.replaceAll(TYPES_OF_CLIENT, '') : text }
  const isEntry = /^components\/[^/]+$/.test(source.path)
  const fits = (name: string): boolean => {
    if (!name.startsWith('components/')) return !/^(?:server|test|demo)\/|^node:|^#/.test(name)
    const target = roomOf(name)
    if (isEntry) return true
    if (room === undefined || target === undefined) return false
    if (ELEMENTS.has(room) && LATE.has(target)) return false
    return ORDER.indexOf(target) <= ORDER.indexOf(room)
  }
  return imports(source)
    .filter(name => !fits(name))
    .map(name => `${source.path} imports ${name}`)
}

test('every folder of the kit has its place in the order', () => {
  const missing = components.filter(({ path }) => path.split('/').length > 2 && roomOf(path) === undefined)
  assert.deepEqual(
    missing.map(({ path }) => path),
    []
  )
})

test('imports of the kit go only down', () => {
  assert.deepEqual(components.flatMap(upward), [])
})

test('the rule sees an import that goes up', () => {
  const seen = (path: string, name: string) =>
    upward({ path: `components/${path}`, text: `import { x } from '${name}'` }).length
  assert.equal(seen('store/a.ts', '../core/b.ts'), 1)
  assert.equal(seen('store/a.ts', './inbox/b.ts'), 1)
  assert.equal(seen('store/outbox/a.ts', '../inbox/b.ts'), 1)
  assert.equal(seen('protocol/a.ts', '../store/b.ts'), 1)
  assert.equal(seen('store/a.ts', '../transport/b.ts'), 1)
  assert.equal(seen('live/a.ts', '../core/b.ts'), 1)
  assert.equal(seen('core/a.ts', '../inbox/list/list.ts'), 1)
  assert.equal(seen('inbox/list/a.ts', '../controller.ts'), 1)
  assert.equal(seen('inbox/item/a.ts', '../list/list.ts'), 1)
  assert.equal(seen('core/a.ts', '../popup/popup.ts'), 1)
  assert.equal(seen('core/a.ts', '../configure.ts'), 1)
  assert.equal(seen('preferences-popup/a.ts', '../inbox/controller.ts'), 1)
  assert.equal(seen('popup/a.ts', '../transport/b.ts'), 1)
  assert.equal(seen('popup/a.ts', '../live/b.ts'), 1)
  assert.equal(seen('store/a.ts', '../../server/id.ts'), 1)
  assert.equal(seen('index.ts', '../server/id.ts'), 1)
  assert.equal(seen('store/a.ts', 'node:fs'), 1)
  assert.equal(seen('admin/api/a.ts', '../../../server/client/b.ts'), 1)
  assert.equal(seen('launcher/a.ts', '../popup/popup.ts'), 0)
  assert.equal(seen('popup/a.ts', '../core/b.ts'), 0)
  assert.equal(seen('store/inbox/a.ts', '../types.ts'), 0)
  assert.equal(seen('inbox/a.ts', './list/list.ts'), 0)
  assert.equal(seen('core/a.ts', 'lit'), 0)
})

// What the browser keeps for the time without a network needs the browser.
test('the store and the protocol know no document', () => {
  const wrong = components
    .filter(({ path }) => /^components\/(?:store\/(?!offline\/)|protocol\/)/.test(path))
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
  const wrong = { path: 'server/a/b.ts', text: "import { x } from '../../components/headless/index.ts'" }
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

/** The rooms of the server from the lowest up: a room imports only rooms that stand before it. */
const SERVER_ROOMS = [
  // The published types of requests and answers, which the rooms share.
  'client',
  'core',
  'config',
  'db',
  'outbound',
  'http',
  'environments',
  'operators',
  'queue',
  'types',
  'process',
  'users',
  'inbox',
  'send',
  'channels',
  'logs',
  'preview',
  'admin',
  'demo',
  '',
  'testing'
]

/** The most pairs of rooms of which one imports the other. */
const MAX_ROOM_IMPORTS = 145

/** The room of a server file; the empty name is that of the files in `server/` itself. */
const serverRoom = (path: string): string => {
  const [, room, file] = path.split('/')
  return file === undefined ? '' : room!
}

/** Imports of one server room by another, each pair of rooms once, with an example. */
function roomImports(files: readonly Source[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const file of files) {
    for (const name of imports(file).filter(imported => imported.startsWith('server/'))) {
      const [from, to] = [serverRoom(file.path), serverRoom(name)]
      if (from !== to) found.set(`${from} -> ${to}`, `${file.path} imports ${name}`)
    }
  }
  return found
}

/** The example of each import that goes up, or to or from a room that is not listed. */
const upwardRooms = (files: readonly Source[]): string[] =>
  [...roomImports(files)]
    .filter(([pair]) => {
      const [from, to] = pair.split(' -> ').map(room => SERVER_ROOMS.indexOf(room))
      return from === -1 || to === -1 || to! > from!
    })
    .map(([, example]) => example)

test('imports between rooms of the server only go down, and are few', () => {
  assert.deepEqual(upwardRooms(server), [])
  const pairs = roomImports(server).size
  assert.ok(pairs <= MAX_ROOM_IMPORTS, `${pairs} pairs of rooms`)
  assert.ok(SERVER_ROOMS.filter(room => room !== '').length <= 20)
})

test('the rule sees a room of the server that imports a higher one', () => {
  const file = (path: string, name: string): Source => ({ path, text: `import { x } from '${name}'` })
  assert.equal(upwardRooms([file('server/http/a.ts', '../users/b.ts')]).length, 1)
  assert.equal(upwardRooms([file('server/users/privacy/a.ts', '../../inbox/b.ts')]).length, 1)
  assert.equal(upwardRooms([file('server/new/a.ts', '../core/id.ts')]).length, 1)
  assert.equal(upwardRooms([file('server/app.ts', './users/b.ts')]).length, 0)
  assert.equal(upwardRooms([file('server/users/a.ts', '../http/b.ts')]).length, 0)
})

test('no folder of server and kit holds a single file', () => {
  const counts = new Map<string, number>()
  for (const { path } of [...sources('server', ['']), ...components]) {
    const folder = path.slice(0, path.lastIndexOf('/'))
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  const allowed = new Set(['server/db/migrations', 'components/store/outbox', 'components/admin'])
  const wrong = [...counts].filter(([folder, count]) => count === 1 && !allowed.has(folder))
  assert.deepEqual(wrong, [])
})

// The package that front ends install: complete, typed, without side effects, and importable where there is no page.

import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { before, test } from 'node:test'
import { gzipSync } from 'node:zlib'

import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { build } from 'esbuild'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { build as viteBuild, type Rolldown } from 'vite'

import { ROOT, unpackedPackage, type Place } from './place.ts'

let place: Place
before(() => {
  place = unpackedPackage()
})

/** What can be imported as code that is not for a worker. */
const entries = (): readonly string[] =>
  Object.keys(place.manifest.exports)
    .filter(name => !name.endsWith('.json') && name !== './service-worker')
    .map(name => `notif-kit${name.slice(1)}`)

test('every element has an entry and a way to define it, and nothing of the server is in it', () => {
  for (const name of ['popup', 'launcher', 'feed', 'counter', 'provider']) {
    assert.ok(entries().includes(`notif-kit/${name}`), name)
    assert.ok(entries().includes(`notif-kit/define/${name}`), name)
  }
  assert.deepEqual(Object.keys(place.manifest.dependencies), [
    '@lit/context',
    '@lit/reactive-element',
    'lit',
    'nanostores',
    'partysocket'
  ])
  for (const one of Object.values(place.manifest.exports)) {
    assert.ok(existsSync(join(place.kit, typeof one === 'string' ? one : one.default)), JSON.stringify(one))
  }
})

test('its page names every entry, and its licence is in it', () => {
  const page = readFileSync(join(place.kit, 'README.md'), 'utf8')
  const table = page.slice(page.indexOf('| Import |'), page.indexOf('Modules only'))
  const named = new Set([...table.matchAll(/`([^`]+)`/g)].map(([, name]) => name!))
  assert.deepEqual(
    entries().filter(
      entry =>
        !entry.startsWith('notif-kit/define/') &&
        !named.has(entry) &&
        !named.has(`/${entry.split('/').at(-1)}`)
    ),
    []
  )
  assert.match(readFileSync(join(place.kit, 'LICENSE'), 'utf8'), /MIT/)
})

interface Reference {
  readonly name: string
  readonly module?: string
  readonly package?: string
}

interface CustomElements {
  readonly modules: readonly {
    readonly path: string
    readonly declarations: readonly {
      readonly tagName?: string
      readonly superclass?: Reference
      readonly events?: readonly { readonly name: string; readonly type?: { readonly text: string } }[]
      readonly cssProperties?: readonly { readonly name: string }[]
    }[]
    readonly exports: readonly {
      readonly kind: string
      readonly name: string
      readonly declaration: Reference
    }[]
  }[]
}

test('custom-elements.json names modules of the package, definitions, types of events and all tokens', () => {
  const { modules } = JSON.parse(
    readFileSync(join(place.kit, 'custom-elements.json'), 'utf8')
  ) as CustomElements
  const elements = modules.flatMap(({ declarations }) => declarations).filter(({ tagName }) => tagName)
  assert.ok(elements.length >= 7, `${elements.length} elements`)
  const exported = modules.flatMap(module => module.exports)
  const paths = [
    ...modules.map(({ path }) => path),
    ...exported.map(({ declaration }) => declaration.module!),
    ...elements.flatMap(({ superclass }) => (superclass?.module ? [superclass.module] : []))
  ]
  for (const path of paths) assert.ok(existsSync(join(place.kit, path)), path)
  assert.deepEqual(
    exported
      .filter(({ kind }) => kind === 'custom-element-definition')
      .map(({ name }) => name)
      .toSorted(),
    elements.map(({ tagName }) => tagName!).toSorted()
  )
  for (const { events = [], tagName } of elements)
    for (const { name, type } of events) assert.match(type?.text ?? '', /Event/, `${tagName} ${name}`)
  const page = readFileSync(join(ROOT, 'docs/front-end.md'), 'utf8')
  const documented = new Set(page.match(/(?<=`)--notif-[\w-]+(?=`)/g))
  assert.ok(documented.size > 20, `${documented.size} tokens`)
  for (const { cssProperties = [], tagName } of elements) {
    if (tagName === 'notif-provider') continue
    const names = new Set(cssProperties.map(({ name }) => name))
    assert.deepEqual(
      [...documented].filter(name => !names.has(name)),
      [],
      tagName
    )
  }
})

test('everything can be imported in Node, where there is no window', () => {
  // Directives are made by Angular, which whoever imports them has.
  const alone = entries().filter(name => name !== 'notif-kit/angular')
  const script = alone
    .map(name => `await import('${name}').then(one => said.push('${name} ' + Object.keys(one).length))`)
    .join('\n')
  const said = place.run(
    '--input-type=module',
    '-e',
    `const said = []
    if (typeof window + typeof document !== 'undefinedundefined') throw new Error('not Node')
    ${script}
    console.log(said.join('\\n'))`
  )
  assert.equal(said.trim().split('\n').length, alone.length)
  assert.match(said, /^notif-kit\/popup 1$/m)
})

test('its types hold for strict programs, whether Node or a bundler resolves them', () => {
  writeFileSync(
    join(place.dir, 'use.ts'),
    `import { configure, getNotifContext, NotifPopup, type NotifEventMap } from 'notif-kit'
import 'notif-kit/define'
import 'notif-kit/define/popup'
import { NotifCounter } from 'notif-kit/counter'
import { createNotifStore, type NotifStore } from 'notif-kit/store'
import { memoryInbox } from 'notif-kit/testing'
import { createClient } from 'notif-kit/client'
import { openSandbox, type Sandbox } from 'notif-kit/testing/server'
const inbox = memoryInbox({ items: [{ title: 'Hello' }] })
const store: NotifStore = createNotifStore({ transport: inbox.transport() })
const popup: NotifPopup = document.createElement('notif-popup')
popup.pageSize = 5
popup.count = ({ archived }) => !archived
popup.addEventListener('notif-select', event => event.detail.item.title.trim())
// @ts-expect-error: not a mode
popup.count = 'COUNT_EVERYTHING'
// @ts-expect-error: a number
document.querySelector('notif-counter')!.max = '9'
const heard: (event: NotifEventMap['notif-action']) => string = event => event.detail.action
void configure({ store }).then(() => getNotifContext(popup))
void getNotifContext(popup).then(async context => {
  const times: readonly string[] = context.notifications.map(({ date }) => date)
  const chosen: string | undefined = context.preferences?.preferences[0]?.delivery
  const all: number = context.$preferences.get().state === 'ready' ? context.$unopened.get() : 0
  await context.updateDelivery('comments', 'EMAIL', 'daily', 'mine')
  await context.markAsOpened()
  await context.markAsArchived('ALL')
  await context.markAsArchived(['1'])
  await context.markAsClicked('1')
  await context.getClient().identify({ email: 'amara@heron.example' })
  await context.setWebPushOptIn(true)
  // @ts-expect-error: no such channel
  await context.updateDelivery('comments', 'PIGEON', 'daily')
  // @ts-expect-error: no such frequency
  await context.updateDelivery('comments', 'EMAIL', 'yearly')
  // @ts-expect-error: a value is only read
  context.preferences = undefined
  // @ts-expect-error: a store is only read
  context.$unopened.set(0)
  return [times, chosen, all]
})
export const used = [heard, NotifCounter, createClient]
export const sandbox: Sandbox = openSandbox({ baseURL: 'http://x', clientId: 'a', clientSecret: 'b' })
`
  )
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noEmit', '--target', 'es2022', '--types', '']
  place.run(tsc, ...strict, '--module', 'nodenext', 'use.ts')
  place.run(tsc, ...strict, '--module', 'esnext', '--moduleResolution', 'bundler', 'use.ts')
})

test('the tests of a back end start a server from the package, as its page says', () => {
  const page = readFileSync(join(place.kit, 'README.md'), 'utf8')
  const [, example] = /<!-- executed by .*?-->\s*```js\n(.*?)```/s.exec(page)!
  writeFileSync(join(place.dir, 'back-end.test.js'), example!.replace("'../notif-kit'", JSON.stringify(ROOT)))
  // Not as a part of this run of tests.
  const said = place.run(
    '--import',
    'data:text/javascript,delete process.env.NODE_TEST_CONTEXT',
    'back-end.test.js'
  )
  assert.match(said, /^# pass 1$|ℹ pass 1$/m)
})

test('publint and arethetypeswrong find nothing', async () => {
  const { messages, pkg } = await publint({
    level: 'suggestion',
    pack: false,
    pkgDir: place.kit,
    strict: true
  })
  assert.deepEqual(
    messages.map(message => formatMessage(message, pkg)),
    []
  )
  const checked = await checkPackage(createPackageFromTarballData(readFileSync(place.tarball)))
  assert.ok(checked.types !== false)
  // Modules only: the oldest way of resolving reads no "exports", and require() is answered by Node 22 and newer itself.
  const ours = checked.problems.filter(
    problem =>
      !('resolutionKind' in problem && problem.resolutionKind === 'node10') &&
      problem.kind !== 'CJSResolvesToESM'
  )
  assert.deepEqual(ours, [])
})

/** Bundles a program with esbuild. `inputs`: modules that it loads at once; `gzip`: their bytes. */
async function bundled(program: string): Promise<{ readonly gzip: number; readonly inputs: string[] }> {
  const { metafile, outputFiles } = await build({
    bundle: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    format: 'esm',
    metafile: true,
    minify: true,
    outdir: join(place.dir, 'out'),
    splitting: true,
    stdin: { contents: program, resolveDir: place.dir },
    write: false
  })
  const entry = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === '<stdin>')!
  const seen = new Set<string>()
  const follow = (name: string): void => {
    if (seen.has(name)) return
    seen.add(name)
    for (const { kind, path } of metafile.outputs[name]!.imports)
      if (kind === 'import-statement') follow(path)
  }
  follow(entry[0])
  const inputs = [...seen].flatMap(name =>
    Object.entries(metafile.outputs[name]!.inputs)
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([path]) => path)
  )
  const gzip = outputFiles
    .filter(({ path }) => seen.has(relative(process.cwd(), path)))
    .reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0)
  return { gzip, inputs }
}

/** Gzip bytes that `notif-kit/configure` loads at once; the store and the connection come after the first paint. */
const MAX_CONFIGURE_BYTES = 4000

const has = (inputs: readonly string[], part: string): boolean => inputs.some(path => path.includes(part))

test('a bundler takes what is used and leaves the rest', async () => {
  const store = await bundled(
    `import { createNotifStore } from 'notif-kit'; globalThis.made = createNotifStore`
  )
  assert.ok(has(store.inputs, 'notif-kit/store/'))
  assert.deepEqual(
    store.inputs.filter(path => /modules\/(?:@?lit|@lit)|notif-kit\/(?:internal|popup|feed)/.test(path)),
    []
  )

  const headless = await bundled(`export * from 'notif-kit/store'`)
  assert.equal(has(headless.inputs, '/lit'), false)

  const popup = await bundled(`import 'notif-kit/define/popup'`)
  assert.ok(has(popup.inputs, 'notif-kit/popup/popup.js'))
  for (const other of ['feed/', 'launcher/', 'provider/', 'counter/', 'transport/websocket', 'client/']) {
    assert.equal(has(popup.inputs, `notif-kit/${other}`), false, other)
  }

  const nothing = await bundled(`import { NotifPopup, NotifFeed } from 'notif-kit'; import 'notif-kit/react'`)
  assert.deepEqual(
    nothing.inputs.filter(path => path.includes('node_modules')),
    []
  )
})

/** Bundles a program with Vite and returns the gzip bytes of what it loads at once. */
async function weighWithVite(program: string): Promise<number> {
  const file = join(place.dir, 'program.js')
  writeFileSync(file, program)
  const { output } = (await viteBuild({
    build: { modulePreload: false, rolldownOptions: { input: file }, write: false },
    configFile: false,
    logLevel: 'error',
    root: place.dir
  })) as Rolldown.RolldownOutput
  const chunks = new Map(
    output.flatMap(chunk => (chunk.type === 'chunk' ? [[chunk.fileName, chunk] as const] : []))
  )
  const entry = [...chunks.values()].find(({ isEntry }) => isEntry)!
  const names = new Set([entry.fileName])
  for (const name of names) for (const next of chunks.get(name)!.imports) names.add(next)
  return [...names].reduce((sum, name) => sum + gzipSync(chunks.get(name)!.code, { level: 9 }).length, 0)
}

test('configure alone is small, with esbuild and with Vite', async () => {
  const program = `import { configure } from 'notif-kit/configure'
void configure({ clientId: 'client', userId: 'user' })`
  const { gzip, inputs } = await bundled(program)
  assert.equal(has(inputs, 'notif-kit/popup/'), false)
  assert.equal(has(inputs, 'partysocket'), false)
  for (const [tool, bytes] of [
    ['esbuild', gzip],
    ['Vite', await weighWithVite(program)]
  ] as const) {
    assert.ok(bytes > 1000, `${bytes} bytes with ${tool} cannot be all`)
    assert.ok(bytes <= MAX_CONFIGURE_BYTES, `${bytes} bytes with ${tool}, more than ${MAX_CONFIGURE_BYTES}`)
  }
})

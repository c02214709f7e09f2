// What the README and the pages beside it say about settings, files and libraries is what there is.

import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

import { elementsOfPage, elementsText } from './elements-page.ts'
import { settingNames, settingsTable, tableOfPage } from './settings-table.ts'
import { imports, sources } from './sources.ts'

const ROOT = join(import.meta.dirname, '../..')
const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')

test('the page of settings is that of the configuration', () => {
  assert.equal(tableOfPage(), settingsTable(), 'write it anew with: node test/rules/settings-table.ts')
})

test('the page of elements is that of the classes', () => {
  assert.equal(elementsOfPage(), elementsText(), 'write it anew with: node test/rules/elements-page.ts')
})

/** Pages for people: where they point, there is something. */
const PAGES = [
  'CHANGELOG.md',
  'README.md',
  'SECURITY.md',
  'components/package/README.md',
  'docs/architecture.md',
  'docs/back-end.md',
  'docs/channels.md',
  'docs/elements.md',
  'docs/front-end.md',
  'docs/operator.md',
  'docs/performance.md',
  'docs/scale.md',
  'docs/settings.md',
  'test/bench/README.md'
]

/** Headings as links name them. */
const anchorsOf = (path: string): readonly string[] =>
  [...readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-')
  )

for (const page of PAGES) {
  test(`every file that ${page} names exists`, () => {
    const text = readFileSync(join(ROOT, page), 'utf8')
    const paths = [...text.matchAll(/`((?:test|demo|server|docs)\/[\w./-]+)`/g)].map(([, path]) =>
      join(ROOT, path!)
    )
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)].map(([, path]) =>
      join(ROOT, dirname(page), path!)
    )
    if (page === 'README.md')
      assert.ok(paths.length + links.length > 20, 'it names fewer files than it should')
    assert.deepEqual(
      [...paths, ...links].filter(path => !existsSync(path)),
      []
    )
  })
}

test('every heading that a page links to is there', () => {
  const wrong = PAGES.flatMap(page =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)]
      .filter(
        ([, path, anchor]) =>
          !anchorsOf(join(ROOT, path ? join(dirname(page), path) : page)).includes(anchor!)
      )
      .map(([link]) => `${page}: ${link}`)
  )
  assert.deepEqual(wrong, [])
})

test('no program of a page wants a variable that keeps the server from starting in the same shell', () => {
  const settings = new Set(settingNames())
  const wrong = PAGES.flatMap(page =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^```\w+\n.*?^```$/gms)]
      .flatMap(([block]) => block.match(/\bNOTIF_\w+/g) ?? [])
      .filter(name => !settings.has(name))
      .map(name => `${page}: ${name}`)
  )
  assert.deepEqual([...new Set(wrong)], [])
})

test('no page names a setting that does not exist', () => {
  const settings = new Set(settingNames())
  const wrong = PAGES.flatMap(page =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(/\bNOTIF_[A-Z_]+[A-Z]\b(?!_)/g)]
      .map(([name]) => name.replace(/_FILE$/, ''))
      .filter(name => !settings.has(name) && !/^NOTIF_(?:TAGS|TEST_\w+)$/.test(name))
      .map(name => `${page}: ${name}`)
  )
  assert.deepEqual([...new Set(wrong)], [])
})

test('every log event that a page names exists', () => {
  const server = sources('server', ['.ts'])
    .map(({ text }) => text)
    .join('\n')
  const events = PAGES.flatMap(page =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(/\bevent\s+`([a-z_]+)`/g)].map(([, event]) => event!)
  )
  assert.ok(events.length > 1)
  assert.deepEqual(
    events.filter(event => !server.includes(`event: '${event}'`)),
    []
  )
})

test('the README fits on a few screens', () => {
  assert.ok(readme.split('\n').length <= 180)
})

test('every dependency has earned its line', () => {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  const table = readme.slice(readme.indexOf('## What it stands on'), readme.indexOf('## Work on it'))
  assert.deepEqual(
    Object.keys(dependencies).filter(name => !new RegExp(String.raw`[ ,|]${name}[ ,|]`).test(table)),
    []
  )
})

test('every dependency is imported somewhere, or run by npm install', () => {
  const { dependencies, scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
    scripts: { postinstall: string }
  }
  const imported = ['server', 'components', 'service-worker'].flatMap(folder =>
    sources(folder, ['.ts']).flatMap(imports)
  )
  assert.deepEqual(
    Object.keys(dependencies).filter(
      name =>
        !imported.some(one => one === name || one.startsWith(`${name}/`)) &&
        !scripts.postinstall.startsWith(`${name} `)
    ),
    []
  )
})

// custom-elements.json tells of everything that the classes have, and of nothing else.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

import { build } from 'esbuild'

import { customData } from '../../components/package/editors.ts'
import { describe, elementsOf, type Declaration, type Element } from '../../components/package/elements.ts'
import { ROOT } from './place.ts'

const elements = elementsOf(describe())

interface Class {
  readonly elementProperties: ReadonlyMap<
    string,
    { readonly attribute?: string | false; readonly reflect?: boolean }
  >
  readonly observedAttributes: readonly string[]
}

/** The real classes, compiled as they are for pages. */
async function classes(): Promise<Readonly<Record<string, Class>>> {
  const { outputFiles } = await build({
    bundle: true,
    conditions: ['node'],
    entryPoints: [join(ROOT, 'components/index.ts')],
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    tsconfig: join(ROOT, 'components/tsconfig.json'),
    write: false
  })
  const source = Buffer.from(outputFiles[0]!.contents).toString('base64')
  return (await import(`data:text/javascript;base64,${source}`)) as Record<string, Class>
}

const sorted = (names: Iterable<string>): string[] => [...names].toSorted()

test('every property and attribute of every class, with its words', async () => {
  const known = await classes()
  const exported = Object.keys(known).filter(name => known[name]!.elementProperties)
  assert.deepEqual(sorted(elements.map(({ name }) => name)), sorted(exported))
  for (const { attributes = [], members = [], name, tagName } of elements) {
    const Class = known[name]!
    const fields = members.filter(({ kind }) => kind === 'field')
    const real = [...Class.elementProperties].filter(([property]) => typeof property === 'string')
    assert.deepEqual(sorted(fields.map(one => one.name)), sorted(real.map(([property]) => property)), tagName)
    assert.deepEqual(
      sorted(attributes.map(one => one.name)),
      sorted(Class.observedAttributes),
      `attributes of ${tagName}`
    )
    for (const [property, { attribute, reflect }] of real) {
      const field = fields.find(one => one.name === property)!
      assert.equal(field.attribute ?? false, attribute ?? property.toLowerCase(), `${tagName} ${property}`)
      assert.equal(field.reflects ?? false, reflect ?? false, `${tagName} ${property} reflects`)
    }
  }
})

const LISTS = ['members', 'attributes', 'events', 'slots', 'cssParts', 'cssProperties', 'cssStates'] as const

test('everything has words', () => {
  const silent = elements.flatMap((element: Declaration & { tagName: string }) => [
    ...(element.summary && element.description ? [] : [element.tagName]),
    ...LISTS.flatMap(list =>
      (element[list] ?? [])
        // `lang` is of HTML, not ours.
        .filter(({ description, name }) => !description && !(list === 'attributes' && name === 'lang'))
        .map(({ name }) => `${element.tagName} ${list} ${name}`)
    )
  ])
  assert.deepEqual(silent, [])
})

/** Sources of an element: its own folder, what it inherits, and the templates that draw it. */
function sourcesOf({ path, tagName }: Element): string {
  const seen = new Set<string>()
  const read = (file: string): string => {
    // What the gear of an inbox opens is an element with words of its own.
    if (seen.has(file) || /\/(?:store|transport|protocol|messages|preferences-popup\/open)\b/.test(file))
      return ''
    seen.add(file)
    const text = readFileSync(file, 'utf8')
    // An import of types draws nothing.
    const code = text.replaceAll(/^import type [^']*'[^']*'/gm, '')
    const next = [...code.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, name]) =>
      join(file, '..', name!)
    )
    return text + next.map(read).join('')
  }
  return read(join(ROOT, 'components', path.replace(/\.js$/, '.ts'))) + tagName
}

const names = (text: string, pattern: RegExp): string[] => [
  ...new Set([...text.matchAll(pattern)].flatMap(([, found]) => found!.split(' ')))
]

/** Names that stand in a template as they are, chosen between two, or with the id of an item. */
const partsOf = (text: string): string[] => [
  ...names(text, /\spart(?:="|: ')([\w -]+)["']/g),
  ...names(text, /\spart=\$\{[^}]*\? '([\w -]+)'/g),
  ...names(text, /\spart=\$\{[^}]*\? '[^']*' : '([\w -]+)'\}/g)
]
const slotsOf = (text: string): string[] => [
  ...names(text, /<slot name="([\w-]+)"/g),
  ...names(text, /<slot name=\$\{[^}]*\? '([\w-]+)'/g),
  ...names(text, /<slot name=\$\{[^}]*\? '[^']*' : '([\w-]+)'\}/g),
  ...names(text, /name=\$\{`([\w-]+)-\$\{id\}`\}/g).map(name => `${name}-{id}`)
]

/** In the templates of all lists, but drawn only by a feed with `loadMore`. */
const FEED_ONLY = new Set(['more', 'load-more'])
/** The code of buttons has the fields for replies, too, which a toast does not show. */
const isElsewhere = (tagName: string, name: string): boolean =>
  FEED_ONLY.has(name) || (tagName === 'notif-toast' && name === 'reply')

test('every part, slot and event of the templates', () => {
  for (const element of elements) {
    const text = sourcesOf(element)
    const parts = new Set((element.cssParts ?? []).map(({ name }) => name))
    const slots = new Set((element.slots ?? []).map(({ name }) => name))
    for (const name of partsOf(text)) {
      assert.ok(parts.has(name) || isElsewhere(element.tagName, name), `${element.tagName} part ${name}`)
    }
    for (const name of slotsOf(text)) {
      assert.ok(slots.has(name) || isElsewhere(element.tagName, name), `${element.tagName} slot ${name}`)
    }
    for (const { name } of element.events ?? []) {
      assert.ok(text.includes(`'${name}'`), `${element.tagName} fires no ${name}`)
    }
    // What is documented exists.
    for (const name of slots) {
      assert.ok(name === '' || slotsOf(text).includes(name), `${element.tagName} has no slot ${name}`)
    }
    for (const part of parts) {
      assert.match(
        text,
        new RegExp(String.raw`part(?:=[^>]*|: .)\b${part}\b`),
        `${element.tagName} has no part ${part}`
      )
    }
    for (const { name } of element.cssProperties ?? []) {
      assert.ok(text.includes(name), `${element.tagName} reads no ${name}`)
    }
    for (const { name } of element.cssStates ?? []) {
      assert.match(text, new RegExp(String.raw`\b${name}\b`), `${element.tagName} has no state ${name}`)
    }
  }
})

interface Completed {
  readonly tags: readonly {
    readonly name: string
    readonly attributes: readonly { readonly name: string; readonly values: readonly { name: string }[] }[]
  }[]
}

test('editors offer the words of a choice, and none where there is no choice', () => {
  const { tags } = customData(elements) as Completed
  const offered = (tag: string, attribute: string): string =>
    tags
      .find(({ name }) => name === tag)!
      .attributes.find(({ name }) => name === attribute)!
      .values.map(({ name }) => name)
      .join(' ')
  assert.equal(offered('notif-launcher', 'position'), 'TOP_LEFT TOP_RIGHT BOTTOM_LEFT BOTTOM_RIGHT')
  assert.equal(
    offered('notif-counter', 'count'),
    'COUNT_UNOPENED_NOTIFICATIONS COUNT_UNARCHIVED_NOTIFICATIONS'
  )
  assert.equal(offered('notif-popup', 'filter'), 'ALL UNARCHIVED')
  assert.equal(offered('notif-feed', 'pagination'), 'INFINITE_SCROLL PAGINATED')
  assert.equal(offered('notif-feed', 'size'), 'small default large')
  assert.equal(offered('notif-feed', 'page-size'), '')
  assert.equal(offered('notif-launcher', 'offset-x'), '')
})

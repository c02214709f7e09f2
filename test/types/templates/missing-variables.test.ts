// Missing variables of a template, compared with what Liquid renders.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'

import { createRenderer } from '../../../server/types/templates/render.ts'

const renderer = createRenderer({ renderTimeoutMs: 200 })
after(() => renderer.close())

const missing = (title: string, data: Readonly<Record<string, unknown>> = {}): string[] => [
  ...renderer.findMissing({ channel: 'INAPP_WEB', content: { title }, data })
]

test('returns each name once, as in the template', () => {
  assert.deepEqual(missing('{{ b }}{{ a.b.c }}{{ b | upcase }}{{ list[0].x }}{{ a["two words"] }}'), [
    'a.b.c',
    'a["two words"]',
    'b',
    'list[0].x'
  ])
})

test('a variable with a value is not missing, and null is no value', () => {
  const data = { empty: '', list: [{ x: 1 }], no: false, none: null, zero: 0 }
  assert.deepEqual(
    missing('{{ empty }}{{ no }}{{ zero }}{{ none }}{{ list[0].x }}{{ list[-1].x }}{{ list[1].x }}', data),
    ['list[1].x', 'none']
  )
})

test('variables that the template assigns are not missing', () => {
  const template =
    '{% assign a = x %}{{ a.b }}{% for i in list %}{{ i.name }}{{ forloop.index }}{% endfor %}' +
    '{% capture c %}{{ y }}{% endcapture %}{{ c }}{% increment n %}'
  assert.deepEqual(missing(template), ['list', 'x', 'y'])
})

test('finds variables in loops, filter arguments, ranges and computed keys', () => {
  assert.deepEqual(missing('{{ c | append: d }}{% for i in (1..n) %}{{ site }}{% endfor %}{{ list[k].x }}'), [
    'c',
    'd',
    'k',
    'list',
    'n',
    'site'
  ])
})

test('variables within a condition or with a default are not missing', () => {
  const optional = [
    '{% if name %}Hi {{ name }}{% endif %}',
    '{% if a > b %}{{ c }}{% elsif d %}{{ e }}{% else %}{{ f }}{% endif %}',
    '{% unless name %}Hi{% else %}{% for i in list %}{{ i }}{% endfor %}{% endunless %}',
    '{% case kind %}{% when other %}{{ a }}{% else %}{{ b }}{% endcase %}',
    '{{ name | default: fallback }}{{ name | upcase | default: "x" }}',
    '{% assign who = name | default: "you" %}{{ who }}',
    '{% if vip %}{% assign greeting = "Dear" %}{% endif %}{{ greeting }}'
  ]
  assert.deepEqual(
    optional.map(title => missing(title)),
    optional.map(() => [])
  )
  assert.deepEqual(missing('{% if name %}Hi{% endif %} {{ name }}'), ['name'])
  assert.deepEqual(missing('{% for i in list %}{% if i %}{{ a }}{% endif %}{{ b }}{% endfor %}'), [
    'b',
    'list'
  ])
})

test('a text that does not parse, or is nested too deeply, has no missing variables', () => {
  assert.deepEqual(missing('{{ name'), [])
  assert.deepEqual(missing(`${'{% if a %}'.repeat(2000)}${'{% endif %}'.repeat(2000)}`), [])
})

test('properties that Liquid computes from a value are not missing', () => {
  const data = { _items: [], text: 'x' }
  assert.deepEqual(missing('{{ _items.size }}{{ text.size }}{{ other.first }}', data), ['other'])
})

test('properties of JavaScript objects are not values', () => {
  assert.deepEqual(missing('{{ a.constructor }}{{ toString }}', { a: {} }), ['a.constructor', 'toString'])
})

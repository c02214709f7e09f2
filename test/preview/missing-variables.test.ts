// Missing variables of a template, compared with what Liquid renders.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'

import { findMissingVariables } from '../../server/preview/preview.ts'
import { createRenderer } from '../../server/types/templates/render.ts'

const renderer = createRenderer({ renderTimeoutMs: 200 })
after(() => renderer.close())

const missing = (title: string, data: Readonly<Record<string, unknown>> = {}): string[] =>
  findMissingVariables(renderer.variables('INAPP_WEB', { title }), data)

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

test('finds variables in branches, filter arguments, ranges and computed keys', () => {
  assert.deepEqual(
    missing('{% if a > b %}{{ c | append: d }}{% endif %}{% for i in (1..n) %}{% endfor %}{{ list[k].x }}'),
    ['a', 'b', 'c', 'd', 'k', 'list', 'n']
  )
})

test('properties that Liquid computes from a value are not missing', () => {
  const data = { _items: [], text: 'x' }
  assert.deepEqual(missing('{{ _items.size }}{{ text.size }}{{ other.first }}', data), ['other'])
})

test('properties of JavaScript objects are not values', () => {
  assert.deepEqual(missing('{{ a.constructor }}{{ toString }}', { a: {} }), ['a.constructor', 'toString'])
})

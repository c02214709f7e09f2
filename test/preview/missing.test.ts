// Names of variables without a value, against what Liquid makes of them.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'

import { missingIn } from '../../server/preview/missing.ts'
import { createRenderer } from '../../server/types/templates/render.ts'

const renderer = createRenderer({ renderTimeoutMs: 200 })
after(() => renderer.close())

const missing = (title: string, data: Readonly<Record<string, unknown>> = {}): string[] =>
  missingIn(renderer.variables('INAPP_WEB', { title }), data)

test('each name stands there once, as it stands in the template', () => {
  assert.deepEqual(missing('{{ b }}{{ a.b.c }}{{ b | upcase }}{{ list[0].x }}{{ a["two words"] }}'), [
    'a.b.c',
    'a["two words"]',
    'b',
    'list[0].x'
  ])
})

test('what has a value is not missing, and null is none', () => {
  const data = { empty: '', list: [{ x: 1 }], no: false, none: null, zero: 0 }
  assert.deepEqual(
    missing('{{ empty }}{{ no }}{{ zero }}{{ none }}{{ list[0].x }}{{ list[-1].x }}{{ list[1].x }}', data),
    ['list[1].x', 'none']
  )
})

test('what the template makes itself is not missing', () => {
  const template =
    '{% assign a = x %}{{ a.b }}{% for i in list %}{{ i.name }}{{ forloop.index }}{% endfor %}' +
    '{% capture c %}{{ y }}{% endcapture %}{{ c }}{% increment n %}'
  assert.deepEqual(missing(template), ['list', 'x', 'y'])
})

test('branches, arguments of filters, ranges and places named by variables are looked into', () => {
  assert.deepEqual(
    missing('{% if a > b %}{{ c | append: d }}{% endif %}{% for i in (1..n) %}{% endfor %}{{ list[k].x }}'),
    ['a', 'b', 'c', 'd', 'k', 'list', 'n']
  )
})

test('what Liquid works out of a value is there with the value', () => {
  const data = { _items: [], text: 'x' }
  assert.deepEqual(missing('{{ _items.size }}{{ text.size }}{{ other.first }}', data), ['other'])
})

test('nothing of JavaScript counts as a value', () => {
  assert.deepEqual(missing('{{ a.constructor }}{{ toString }}', { a: {} }), ['a.constructor', 'toString'])
})

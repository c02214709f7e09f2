// The expansion of layouts and partials, and its limits.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { expandPartials, blankPartialTags, type Partials } from '../../../server/types/templates/expand.ts'
import { startCpuTimer } from '../../support/cpu-time.ts'

const LIMITS = { maxCount: 50, maxDepth: 4 }

const partialsOf = (
  partials: Readonly<Record<string, string>>,
  layouts: Readonly<Record<string, string>> = {}
): Partials => ({
  layouts: new Map(Object.entries(layouts)),
  partials: new Map(Object.entries(partials))
})

const made = (text: string, of: Partials): string => {
  const expanded = expandPartials(text, of, LIMITS)
  assert.ok(expanded.ok, JSON.stringify(expanded))
  return expanded.text
}
const fault = (text: string, of: Partials) => {
  const expanded = expandPartials(text, of, LIMITS)
  assert.ok(!expanded.ok, JSON.stringify(expanded).slice(0, 200))
  return { at: expanded.at, detail: expanded.detail }
}

test('replaces the tag of a partial by its text and values', () => {
  const partials = partialsOf({ a: '[{{ x }}]', b: "<{% render 'a' %}>" })
  assert.equal(made('1{% render \'a\' %}2{%- render "b" -%}3', partials), '1[{{ x }}]2<[{{ x }}]>3')
  assert.equal(
    made("{% render 'a', x: order.id, y: 'it, is' %}", partials),
    "{% assign x = order.id %}{% assign y = 'it, is' %}[{{ x }}]"
  )
  // Special characters of String.replace have no effect.
  assert.equal(made("{% render 'm' %}", partialsOf({ m: "$& $1 $'" })), "$& $1 $'")
})

test('inserts the rest of a text into its layout, which may use a layout and partials itself', () => {
  const partials = partialsOf(
    { p: 'P' },
    {
      inner: "{% layout 'outer' %}({{ content_for_layout }})",
      outer: "<{{- content_for_layout -}}>{% render 'p' %}"
    }
  )
  assert.equal(made(" {% layout 'inner' %}Hi {{ x }} $&", partials), '<(Hi {{ x }} $&)>P')
})

test('rejects missing, recursive, too deep, too many and too long partials at their tag', () => {
  assert.deepEqual(fault("ab{% render 'x' %}", partialsOf({})), { at: 2, detail: 'there is no partial "x"' })
  assert.deepEqual(fault("{% layout 'x' %}", partialsOf({ x: '' })), {
    at: 0,
    detail: 'there is no layout "x"'
  })
  assert.deepEqual(
    fault("a {% layout 'x' %}", partialsOf({}, { x: '' })).detail,
    'a layout must be first in the text'
  )
  const cycle = partialsOf({ a: "{% render 'b' %}", b: "{% render 'c' %}", c: "{% render 'a' %}" })
  assert.deepEqual(fault("{{ x }}{% render 'a' %}", cycle), { at: 7, detail: 'the partial "a" uses itself' })
  const chain = partialsOf({
    a: "{% render 'b' %}",
    b: "{% render 'c' %}",
    c: "{% render 'd' %}",
    d: "{% render 'e' %}",
    e: ''
  })
  assert.match(fault("{% render 'a' %}", chain).detail, /more than 4 levels deep/)
  const wide = partialsOf({ a: "{% render 'b' %}".repeat(10), b: "{% render 'c' %}".repeat(10), c: '' })
  assert.match(fault("{% render 'a' %}", wide).detail, /more than 50 layouts and partials/)
  assert.equal(made("{% render 'c' %}".repeat(50), wide), '', 'fifty are accepted')
  assert.match(fault("{% render 'c' %}".repeat(51), wide).detail, /more than 50 layouts and partials/)
  const long = partialsOf({ a: 'x'.repeat(50_000) })
  assert.match(fault("{% render 'a' %}".repeat(9), long).detail, /more than 400000 characters/)
  for (const name of ['__proto__', 'constructor', '../secret', '/etc/hostname']) {
    assert.equal(
      fault(`{% render '${name}' %}`, partialsOf({})).detail,
      `there is no partial ${JSON.stringify(name)}`
    )
  }
})

test('expands the texts of an attack in little time', () => {
  const cpuMs = startCpuTimer()
  for (const text of [
    '{% render '.repeat(30_000),
    `{% render 'a'${', x: y'.repeat(40_000)}`,
    `{%${' '.repeat(300_000)}`
  ]) {
    expandPartials(text, partialsOf({ a: '' }), LIMITS)
    blankPartialTags(text)
  }
  assert.ok(cpuMs() < 2_000, `${Math.round(cpuMs())} ms`)
})

test('replaces tags by spaces, so that positions do not change', () => {
  assert.equal(blankPartialTags("a{% render 'x',\n y: 1 %}b"), `a${' '.repeat(14)}\n${' '.repeat(8)}b`)
})

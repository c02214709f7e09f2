// Layouts and partials put together: what comes out, and what is refused before it can grow.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { expand, withoutPieces, type Pieces } from '../../../server/types/templates/expand.ts'
import { startCpuTimer } from '../../support/cpu-time.ts'

const LIMITS = { pieceCount: 50, pieceDepth: 4 }

const pieces = (
  partials: Readonly<Record<string, string>>,
  layouts: Readonly<Record<string, string>> = {}
): Pieces => ({
  layouts: new Map(Object.entries(layouts)),
  partials: new Map(Object.entries(partials))
})

const made = (text: string, of: Pieces): string => {
  const expanded = expand(text, of, LIMITS)
  assert.ok(expanded.ok, JSON.stringify(expanded))
  return expanded.text
}
const fault = (text: string, of: Pieces) => {
  const expanded = expand(text, of, LIMITS)
  assert.ok(!expanded.ok, JSON.stringify(expanded).slice(0, 200))
  return { at: expanded.at, detail: expanded.detail }
}

test('a partial stands where its tag stood, with the values it was given', () => {
  const of = pieces({ a: '[{{ x }}]', b: "<{% render 'a' %}>" })
  assert.equal(made('1{% render \'a\' %}2{%- render "b" -%}3', of), '1[{{ x }}]2<[{{ x }}]>3')
  assert.equal(
    made("{% render 'a', x: order.id, y: 'it, is' %}", of),
    "{% assign x = order.id %}{% assign y = 'it, is' %}[{{ x }}]"
  )
  // Signs that mean something to a replacement mean nothing here.
  assert.equal(made("{% render 'm' %}", pieces({ m: "$& $1 $'" })), "$& $1 $'")
})

test('a layout holds what follows it, and may have a layout and partials of its own', () => {
  const of = pieces(
    { p: 'P' },
    {
      inner: "{% layout 'outer' %}({{ content_for_layout }})",
      outer: "<{{- content_for_layout -}}>{% render 'p' %}"
    }
  )
  assert.equal(made(" {% layout 'inner' %}Hi {{ x }} $&", of), '<(Hi {{ x }} $&)>P')
})

test('what is not there, uses itself, or is too deep, too many or too long is refused at its tag', () => {
  assert.deepEqual(fault("ab{% render 'x' %}", pieces({})), { at: 2, detail: 'there is no partial "x"' })
  assert.deepEqual(fault("{% layout 'x' %}", pieces({ x: '' })), { at: 0, detail: 'there is no layout "x"' })
  assert.deepEqual(
    fault("a {% layout 'x' %}", pieces({}, { x: '' })).detail,
    'a layout is named first in a text'
  )
  const ring = pieces({ a: "{% render 'b' %}", b: "{% render 'c' %}", c: "{% render 'a' %}" })
  assert.deepEqual(fault("{{ x }}{% render 'a' %}", ring), { at: 7, detail: 'the partial "a" uses itself' })
  const chain = pieces({
    a: "{% render 'b' %}",
    b: "{% render 'c' %}",
    c: "{% render 'd' %}",
    d: "{% render 'e' %}",
    e: ''
  })
  assert.match(fault("{% render 'a' %}", chain).detail, /more than 4 deep/)
  const wide = pieces({ a: "{% render 'b' %}".repeat(10), b: "{% render 'c' %}".repeat(10), c: '' })
  assert.match(fault("{% render 'a' %}", wide).detail, /more than 50 pieces/)
  assert.equal(made("{% render 'c' %}".repeat(50), wide), '', 'fifty are still taken')
  assert.match(fault("{% render 'c' %}".repeat(51), wide).detail, /more than 50 pieces/)
  const long = pieces({ a: 'x'.repeat(50_000) })
  assert.match(fault("{% render 'a' %}".repeat(9), long).detail, /more than 400000 characters/)
  for (const name of ['__proto__', 'constructor', '../secret', '/etc/hostname']) {
    assert.equal(
      fault(`{% render '${name}' %}`, pieces({})).detail,
      `there is no partial ${JSON.stringify(name)}`
    )
  }
})

test('hostile texts are put together in no time', () => {
  const cpuMs = startCpuTimer()
  for (const text of [
    '{% render '.repeat(30_000),
    `{% render 'a'${', x: y'.repeat(40_000)}`,
    `{%${' '.repeat(300_000)}`
  ]) {
    expand(text, pieces({ a: '' }), LIMITS)
    withoutPieces(text)
  }
  assert.ok(cpuMs() < 2_000, `${Math.round(cpuMs())} ms`)
})

test('without its tags every other sign is where it was', () => {
  assert.equal(withoutPieces("a{% render 'x',\n y: 1 %}b"), `a${' '.repeat(14)}\n${' '.repeat(8)}b`)
})

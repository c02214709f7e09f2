// The number of segments of an SMS, at all limits.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { property, string } from 'fast-check'

import { countSegments, describeTooLongSms } from '../../server/core/sms-segments.ts'
import { checkProperty } from '../support/generated.ts'

const table: readonly [name: string, text: string, encoding: string, count: number][] = [
  ['nothing', '', 'GSM-7', 1],
  ['160 letters', 'x'.repeat(160), 'GSM-7', 1],
  ['161 letters', 'x'.repeat(161), 'GSM-7', 2],
  ['306 letters', 'x'.repeat(306), 'GSM-7', 2],
  ['307 letters', 'x'.repeat(307), 'GSM-7', 3],
  ['letters of many languages in 7 bits', 'Ä Ö Ü ß é è Ç Ø å Ñ ¿ £ ¥ Δ Ω', 'GSM-7', 1],
  ['80 letters of two places', '€'.repeat(80), 'GSM-7', 1],
  ['81 letters of two places', '€'.repeat(81), 'GSM-7', 2],
  ['a letter of two places at the end of the first', `${'x'.repeat(152)}€${'x'.repeat(8)}`, 'GSM-7', 2],
  ['two of them, neither cut', `${'x'.repeat(152)}€${'x'.repeat(150)}€`, 'GSM-7', 3],
  ['70 letters beyond 7 bits', 'ш'.repeat(70), 'UCS-2', 1],
  ['71 letters beyond 7 bits', 'ш'.repeat(71), 'UCS-2', 2],
  ['134 letters beyond 7 bits', 'ш'.repeat(134), 'UCS-2', 2],
  ['135 letters beyond 7 bits', 'ш'.repeat(135), 'UCS-2', 3],
  ['one letter changes them all', `${'x'.repeat(70)}ç`, 'UCS-2', 2],
  ['35 pictures', '🚢'.repeat(35), 'UCS-2', 1],
  ['36 pictures', '🚢'.repeat(36), 'UCS-2', 2],
  ['66 pictures: 33 each, none cut', '🚢'.repeat(66), 'UCS-2', 2],
  ['67 pictures', '🚢'.repeat(67), 'UCS-2', 3],
  ['a back quote is none of the 7-bit letters', '`', 'UCS-2', 1]
]

for (const [name, text, encoding, count] of table) {
  test(name, () => assert.deepEqual(countSegments(text), { count, encoding }))
}

test('never counts fewer segments for more text, and fills each segment', async () => {
  await checkProperty(
    property(string({ maxLength: 400, unit: 'grapheme' }), string({ unit: 'grapheme' }), (a, b) => {
      const [one, both] = [countSegments(a), countSegments(a + b)]
      assert.ok(both.count >= one.count || one.encoding !== both.encoding)
      assert.ok(countSegments(a).count <= Math.max(1, Math.ceil([...a].length / 33)))
    })
  )
})

test('a message has at most ten segments', () => {
  for (const [letter, fitting] of [
    ['x', 1530],
    ['€', 760],
    ['ш', 670],
    ['🚢', 330]
  ] as const) {
    assert.equal(describeTooLongSms(letter.repeat(fitting)), undefined, letter)
    const detail = 'The message has 11 segments; at most 10 are allowed.'
    assert.equal(describeTooLongSms(letter.repeat(fitting + 1)), detail, letter)
  }
})

// Templates in several languages: their names, and which one a send gets.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { localeFallbacks, locale } from '../../server/core/locale.ts'
import { pickTemplate } from '../../server/types/pick-template.ts'
import { readVariant, variantName } from '../../server/types/variant.ts'
import { testGenerated } from '../support/generated.ts'

test('normalizes languages and rejects other texts', () => {
  for (const [given, name] of [
    ['de', 'de'],
    ['DE-at', 'de-AT'],
    ['pt_BR', 'pt-BR'],
    ['zh-hant-tw', 'zh-Hant-TW'],
    ['iw', 'he'],
    ['de-DE-u-co-phonebk', 'de-DE']
  ] as const) {
    assert.equal(locale.parse(given), name)
  }
  for (const wrong of [
    '',
    'd',
    'german',
    'de-',
    'de--AT',
    '*',
    'x-klingon',
    'i-klingon',
    'de;q=1',
    'de\n',
    'a'.repeat(99)
  ]) {
    assert.equal(locale.safeParse(wrong).success, false, wrong)
  }
  assert.deepEqual(localeFallbacks('zh-Hant-TW'), ['zh-Hant-TW', 'zh-Hant', 'zh'])
})

test('splits a name into id and normalized language', () => {
  for (const [name, id, tag] of [
    ['', '', undefined],
    ['@de', '', 'de'],
    ['short@DE_at', 'short', 'de-AT'],
    ['a@b@de', 'a@b', 'de'],
    ['ann@example.com', 'ann@example.com', undefined],
    ['ann@example', 'ann@example', undefined],
    ['at@', 'at@', undefined]
  ] as const) {
    assert.deepEqual(readVariant(name), tag === undefined ? { id } : { id, locale: tag }, name)
    const canonical = variantName(readVariant(name))
    assert.equal(variantName(readVariant(canonical)), canonical)
  }
})

testGenerated('the id comes before the language, the narrow language before the wide', next => {
  const all = ['short@de-AT', 'short@de', 'short', '@de-AT', '@de', '']
  for (let i = 0; i < 500; i++) {
    const there = all.filter(() => next(2) === 1)
    const templates = new Map(there.map(name => [name, { title: name }]))
    const note = there.join(' ')
    // The list is in the order of preference of this very wish.
    assert.equal(pickTemplate(templates, { locale: 'de-AT', templateId: 'short' }), there[0], note)
    assert.equal(
      pickTemplate(templates, { locale: 'de' }),
      there.find(name => name === '@de' || name === ''),
      note
    )
    assert.equal(
      pickTemplate(templates, { locale: 'fr-FR', templateId: 'short' }),
      there.find(name => name === 'short' || name === ''),
      note
    )
    assert.equal(pickTemplate(templates, {}), there.includes('') ? '' : undefined, note)
  }
})

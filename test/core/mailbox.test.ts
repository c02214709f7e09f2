// A mailbox has one address and an optional name, and nothing in the name becomes a second address or a header.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { parseMailbox } from '../../server/core/mailbox.ts'

test('parses an address with and without a name', () => {
  for (const [text, name] of [
    ['ann@a.example', ''],
    ['<ann@a.example>', ''],
    ['Ann <ann@a.example>', 'Ann'],
    ['Ann<ann@a.example>', 'Ann'],
    ['Dr. Ann Ångström <ann@a.example>', 'Dr. Ann Ångström'],
    ['"Ångström, Ann" <ann@a.example>', 'Ångström, Ann'],
    [String.raw`"Ann \"A\" <b@b.example>" <ann@a.example>`, 'Ann "A" <b@b.example>'],
    ['"" <ann@a.example>', '']
  ] as const) {
    assert.deepEqual(parseMailbox(text), { address: 'ann@a.example', name }, text)
  }
})

test('refuses text that is no mailbox, or more than one', () => {
  for (const text of [
    '',
    'Ann',
    'Ann <>',
    'Ann <ann>',
    'Ann <ann@a.example',
    'Ann <ann@a.example> ',
    'Ann <ann@a.example>, Bob <bob@b.example>',
    'bob@b.example, Ann <ann@a.example>',
    'Ångström, Ann <ann@a.example>',
    'group: Ann <ann@a.example>',
    'Ann <ann@a.example>;',
    'Ann\r\nBcc: x <ann@a.example>',
    'Ann\0 <ann@a.example>',
    '"Ann\n" <ann@a.example>',
    '"Ann" Bob" <ann@a.example>',
    String.raw`"Ann\" <ann@a.example>`,
    'Ann <ann@a.example\r\nbob@b.example>'
  ]) {
    assert.equal(parseMailbox(text), undefined, JSON.stringify(text))
  }
})

// The cache of compiled texts: bounded by number and size, keeps recently used texts, and caches no errors.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createTemplateCache } from '../../../server/types/templates/template-cache.ts'

const counter = () => {
  const made: string[] = []
  return {
    make: (text: string): string => {
      made.push(text)
      return text.toUpperCase()
    },
    made
  }
}

test('compiles a text once while it is used', () => {
  const cache = createTemplateCache<string>(4)
  const { make, made } = counter()
  for (const text of ['a', 'b', 'c', 'a', 'd', 'e', 'a', 'f', 'a'])
    assert.equal(cache.get(text, make), text.toUpperCase())
  assert.deepEqual(made, ['a', 'b', 'c', 'd', 'e', 'f'])
  cache.get('b', make)
  assert.equal(made.at(-1), 'b', 'the one used longest ago had to go')
})

test('evicts several texts for a long one, and does not cache a text that is too long', () => {
  const cache = createTemplateCache<string>(100, 10)
  const { make, made } = counter()
  for (const text of ['aaa', 'bbb', 'cccccc']) cache.get(text, make)
  for (const text of ['bbb', 'cccccc']) cache.get(text, make)
  assert.equal(made.length, 3)
  for (const text of ['d'.repeat(11), 'd'.repeat(11)]) cache.get(text, make)
  assert.equal(made.length, 5)
})

test('compiles a text again after an error', () => {
  const cache = createTemplateCache<string>()
  const fail = (): never => {
    throw new Error('no')
  }
  assert.throws(() => cache.get('a', fail))
  assert.equal(
    cache.get('a', text => text),
    'a'
  )
})

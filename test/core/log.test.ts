// Texts that clients chose are short and visible in log lines, and are no contact data.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { toLogPointer, toLogText } from '../../server/core/log.ts'
import { startCpuTimer } from '../support/cpu-time.ts'

test('cuts and escapes texts of clients', () => {
  assert.equal(toLogText('a name'), 'a name')
  assert.equal(toLogText('a\n"b\u202e\u{1f600}'), 'a\\u{a}"b\\u{202e}\\u{1f600}')
  assert.equal(toLogText('x'.repeat(101)), `${'x'.repeat(100)}...`)
  assert.equal(toLogText('é'.repeat(2), 1), '\\u{e9}...')
})

test('leaves out keys that look like contact data', () => {
  assert.equal(toLogPointer('#/options/email/attachments/0'), '#/options/email/attachments/0')
  assert.equal(toLogPointer('#/to/ada@example.com/x'), '#/to/*/x')
  assert.equal(toLogPointer('#/ada%40example.com'), '#/*')
  assert.equal(toLogPointer('#/+491701234567/number'), '#/*/number')
  assert.equal(toLogPointer('#/a\u0000b'), '#/a\\u{0}b')
})

test('takes little time for a long key', () => {
  const timer = startCpuTimer()
  toLogPointer(`#/${'1'.repeat(5)}${'x'.repeat(5_000_000)}`)
  assert.ok(timer() < 200, `${timer()} ms`)
})

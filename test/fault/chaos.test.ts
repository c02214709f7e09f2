// The short form of npm run chaos: each fault once. TEST_SEED repeats a run.

import { test } from 'node:test'

import { chaos } from './chaos.ts'

test('no accepted send is lost while all faults occur', { timeout: 300_000 }, async t => {
  const { doubles, sends, unsure, ...counts } = await chaos(1, line => t.diagnostic(line))
  t.diagnostic(
    `${sends} sends, taken twice ${JSON.stringify(doubles)}, ${unsure} calls given up: ${JSON.stringify(counts)}`
  )
})

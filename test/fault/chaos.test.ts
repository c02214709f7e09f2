// The short form of npm run chaos: every fault once. NOTIF_TEST_SEED repeats a run.

import { test } from 'node:test'

import { chaos } from './chaos.ts'

test('nothing that was accepted is lost in a storm', { timeout: 400_000 }, async t => {
  const { doubles, faults, met, repeats, sends } = await chaos(1, line => t.diagnostic(line))
  t.diagnostic(
    `${sends} sends, ${repeats} requests repeated, ${doubles} messages taken twice: ${JSON.stringify({ faults, met })}`
  )
})

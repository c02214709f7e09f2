// Many cases of one property, each from a seed of its own that a failure prints.
//
// NOTIF_CASES=5000 NOTIF_SEED=1 before `node --test <file>` repeats and extends a run.

import { test } from 'node:test'

const SEED = Number(process.env['NOTIF_SEED'] ?? Date.now() % 1_000_000)

/**
 * @param usual - how many cases there are where NOTIF_CASES does not say
 * @param name - what holds for them, told after their number
 */
export function cases(usual: number, name: string, run: (seed: number) => Promise<void>): void {
  const count = Number(process.env['NOTIF_CASES'] ?? usual)
  void test(`${count} ${name} (seed ${SEED})`, async t => {
    for (let seed = SEED; seed < SEED + count; seed += 1) {
      try {
        await run(seed)
      } catch (error) {
        t.diagnostic(`fails with NOTIF_SEED=${seed} NOTIF_CASES=1`)
        throw error
      }
    }
  })
}

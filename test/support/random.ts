// Random numbers that can be repeated: TEST_SEED names the seed, or the clock chooses one for the whole process.
//
// The runner sets the variable for all files, so the second run of an unsteady file repeats the first.

export interface Random {
  /** A whole number from 0 to `below` - 1. */
  (below: number): number
  readonly seed: number
}

/** The seed of this process and of those that it starts. */
export const SEED = Number((process.env['TEST_SEED'] ??= String(Date.now() % 2 ** 31)))

/** mulberry32: small, and good enough to choose test cases. */
export function random(seed = SEED): Random {
  let state = seed
  const next = (below: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below)
  }
  return Object.assign(next, { seed })
}

/** How the message of a counterexample begins. */
export const COUNTEREXAMPLE = 'Generated counterexample: '

/** A generated input that breaks a rule. It fails the run, also if the second run of the file passes. */
export class Counterexample extends Error {
  /** @param keep - how the input becomes a fixed case: where it is added, and what is added */
  constructor(what: string, { cause, keep, seed }: { cause?: unknown; keep: string; seed: number }) {
    super(`${COUNTEREXAMPLE}${what}\nRepeat it with TEST_SEED=${seed}.\n${keep}`, { cause })
  }
}

/**
 * How many cases a property takes: TEST_CASES, or `usual`. `npm test` takes a tenth of the properties that
 * `npm run test:full` runs, too.
 */
export const caseCount = (usual: number): number =>
  Number(process.env['TEST_CASES'] ?? (process.env['TEST_FEW'] ? Math.ceil(usual / 10) : usual))

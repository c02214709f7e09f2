// Tests of generated cases: they draw from the seed of the run, and what they find fails the run for good.

import { test, type TestContext } from 'node:test'

import type { IProperty, IAsyncProperty, RunDetails } from 'fast-check'

import { caseCount, Counterexample, random, SEED, type Random } from './random.ts'

const KEEP = 'Keep it as a fixed case: add a test with the input above beside this one.'

/** Errors of assertions and of code. A connection that broke or a wait that was in vain is no counterexample. */
const isFinding = (error: unknown): error is Error =>
  error instanceof Error &&
  (/^(?:Type|Range|Reference)Error$/.test(error.name) || 'generatedMessage' in error)

/** Runs `work`. @throws Counterexample with the message of its error, if that is a finding */
export async function asFinding<T>(
  work: () => T | Promise<T>,
  { keep = KEEP, seed = SEED }: { keep?: string; seed?: number } = {}
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isFinding(error)) throw error
    throw new Counterexample(error.message, { cause: error, keep, seed })
  }
}

/** @param work - makes its cases with `next`, and puts the input into the messages of its assertions */
export function testGenerated(
  name: string,
  work: (next: Random, t: TestContext) => void | Promise<void>,
  options: { timeout?: number } = {}
): void {
  void test(name, options, t => asFinding(() => work(random(), t)))
}

/**
 * Runs many cases of one property, each from a seed of its own.
 *
 * @param usual - how many cases `npm run test:full` takes
 * @param kept - seeds of cases that were found once
 */
export function testSeeds(
  usual: number,
  name: string,
  run: (seed: number) => void | Promise<void>,
  kept: readonly number[] = []
): void {
  const count = caseCount(usual)
  void test(`${count} ${name}`, async () => {
    const seeds = [...kept, ...Array.from({ length: count }, (_, index) => SEED + index)]
    for (const seed of seeds) {
      const keep = `With TEST_CASES=1 it is the only one. Keep it as a fixed case: add ${seed} to the seeds of this test.`
      await asFinding(() => run(seed), { keep, seed })
    }
  })
}

/**
 * Checks a property of fast-check with the seed of the run.
 *
 * @param examples - inputs that were found once
 */
export async function checkProperty<Input extends [unknown, ...unknown[]]>(
  property: IProperty<Input> | IAsyncProperty<Input>,
  { examples = [], runs = 300 }: { examples?: Input[]; runs?: number } = {}
): Promise<void> {
  const fc = await import('fast-check')
  const details: RunDetails<Input> = await fc.check(property, { examples, numRuns: runs, seed: SEED })
  if (!details.failed) return
  const keep = `Keep it as a fixed case: add ${fc.stringify(details.counterexample)} to the examples of this property.`
  throw new Counterexample(fc.defaultReportMessage(details) ?? '', {
    cause: details.errorInstance,
    keep,
    seed: SEED
  })
}

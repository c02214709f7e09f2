// What a part of the run found: how many tests passed, each failure by its name, and the seconds of each file.

import { COUNTEREXAMPLE } from '../support/random.ts'

/** A test that failed, or a program or file as a whole. */
export interface Failure {
  /** Path from the root, or the name of a program. */
  readonly where: string
  readonly test: string
  readonly why: string
}

export interface Results {
  readonly passed: number
  readonly failures: readonly Failure[]
  /** Failures of tests that passed when their file ran once more. */
  readonly unsteady?: readonly Failure[]
  /** By the path of a file. */
  readonly seconds?: ReadonlyMap<string, number>
}

export interface FileResults extends Results {
  /** `testName` of everything that passed. */
  readonly names: ReadonlySet<string>
  readonly seconds: ReadonlyMap<string, number>
}

/** Stands for the name of a test where a whole file or program is meant. */
export const WHOLE = 'as a whole'

/** Characters of one reason at the end of a run; the whole of it stands where the test ran. */
const MAX_REASON_CHARACTERS = 600

export const testName = ({ test, where }: Pick<Failure, 'test' | 'where'>): string => `${where}: ${test}`

export function describeFailure(failure: Failure): string {
  const why = failure.why.trim()
  const isLong = why.length > MAX_REASON_CHARACTERS
  // A counterexample is shown whole: its input and the way to keep it stand in it.
  const shown = isLong && !isFinal(failure) ? `${why.slice(0, MAX_REASON_CHARACTERS)} …` : why
  return `${testName(failure)}: ${shown}`
}

/** A generated input that breaks a rule is a finding, also if the same input passes a second time. */
const isFinal = ({ why }: Failure): boolean => why.includes(COUNTEREXAMPLE)

/**
 * Runs the files of failures once more, without the others and with the same seeds. A test that passes then by the same name is
 * unsteady, because a busy machine can starve a test that waits for a process or a browser. A test that fails again, is skipped
 * or does not run has failed.
 *
 * @param again - runs the files with these paths
 */
export async function rerunFailed(
  first: FileResults,
  again: (files: readonly string[]) => Promise<FileResults>
): Promise<Results> {
  const final = first.failures.filter(isFinal)
  const open = first.failures.filter(failure => !isFinal(failure))
  if (open.length === 0) return first
  const second = await again([...new Set(open.map(({ where }) => where))])
  const hasPassed = (failure: Failure): boolean => second.names.has(testName(failure))
  const known = new Set([...final, ...second.failures].map(testName))
  const missing = open.filter(failure => !hasPassed(failure) && !known.has(testName(failure)))
  const finalNames = new Set(final.map(testName))
  const repeated = second.failures.filter(failure => !finalNames.has(testName(failure)))
  const unsteady = open.filter(hasPassed)
  return {
    failures: [...final, ...repeated, ...missing],
    passed: first.passed + unsteady.length,
    seconds: first.seconds,
    unsteady
  }
}

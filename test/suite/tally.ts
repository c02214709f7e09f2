// What a part of the run came to: how many passed, and each failure by its name.

/** A test that failed, or a program or file as a whole. */
export interface Failure {
  /** Path from the root, or the name of a program. */
  readonly where: string
  readonly test: string
  readonly why: string
}

export interface Tally {
  readonly passed: number
  readonly failures: readonly Failure[]
  /** Failures of tests that passed when their file ran once more. */
  readonly unsteady?: readonly Failure[]
}

export interface FilesRan extends Tally {
  /** `nameOf` of everything that passed. */
  readonly names: ReadonlySet<string>
}

/** What stands for the name of a test where a whole file or program is meant. */
export const WHOLE = 'as a whole'

/** Characters of one reason at the end of a run; the whole of it stands where the test ran. */
const REASON_SHOWN = 600

export const nameOf = ({ test, where }: Pick<Failure, 'test' | 'where'>): string => `${where}: ${test}`

export function textOf(failure: Failure): string {
  const why = failure.why.trim()
  return `${nameOf(failure)}: ${why.length > REASON_SHOWN ? `${why.slice(0, REASON_SHOWN)} …` : why}`
}

/**
 * Files that fail are run once more, without the others. What passes then by the same name is unsteady, since a machine that
 * is shared can starve any test that waits for a process or a browser. What fails again, is skipped or is not there is wrong.
 *
 * @param again - runs the files with these paths
 */
export async function steadied(
  first: FilesRan,
  again: (files: readonly string[]) => Promise<FilesRan>
): Promise<Tally> {
  if (first.failures.length === 0) return first
  const second = await again([...new Set(first.failures.map(({ where }) => where))])
  const isGone = (failure: Failure): boolean => second.names.has(nameOf(failure))
  const known = new Set(second.failures.map(nameOf))
  const lost = first.failures.filter(failure => !isGone(failure) && !known.has(nameOf(failure)))
  const unsteady = first.failures.filter(isGone)
  return { failures: [...second.failures, ...lost], passed: first.passed + unsteady.length, unsteady }
}

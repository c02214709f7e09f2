// What a part of the run came to: how many passed and failed, and the words with which each failure is named at the end.

export interface Tally {
  readonly passed: number
  readonly failed: number
  /** One text for each failure: what and why, as the last lines of the run show it. */
  readonly failures: readonly string[]
  /** Failures of tests that passed when their file ran once more, alone. */
  readonly unsteady?: readonly string[]
}

export interface FilesRan extends Tally {
  /** Paths of the files with a failed test. */
  readonly broken: readonly string[]
}

/** Characters of one failure at the end of a run; the whole of it stands where the test ran. */
const FAILURE_SHOWN = 600

export const failure = (where: string, why: string): string => {
  const text = why.trim()
  return `${where}: ${text.length > FAILURE_SHOWN ? `${text.slice(0, FAILURE_SHOWN)} …` : text}`
}

/**
 * A file that fails beside others is run once more, alone: what fails then is wrong, what passes is named as unsteady,
 * since a machine that is shared can starve any test that waits for a process or a browser.
 */
export async function steadied(
  first: FilesRan,
  alone: (files: readonly string[]) => Promise<FilesRan>
): Promise<Tally> {
  // A run that failed without a file to name would fail in the same way again.
  if (first.failed === 0 || first.broken.length === 0) return first
  const second = await alone(first.broken)
  const { failed, failures } = second
  const passed = first.passed + Math.max(0, first.failed - failed)
  return failed > 0 ? { failed, failures, passed } : { failed, failures, passed, unsteady: first.failures }
}

// What the browser's runner found, as one line for the program that started it; its own report is for people.

import type { Reporter, TestSession, TestSuiteResult } from '@web/test-runner'

/** How the line begins; the rest of it is a Report as JSON. */
export const REPORT = 'report: '

export interface Report {
  readonly passed: number
  /** Paths of the files with a failed test, or that did not load. */
  readonly broken: readonly string[]
  readonly failures: readonly { readonly file: string; readonly test: string; readonly why: string }[]
}

const testsOf = (suite: TestSuiteResult): TestSuiteResult['tests'] => [
  ...suite.tests,
  ...suite.suites.flatMap(testsOf)
]

const failuresOf = ({ errors, testFile, testResults }: TestSession): Report['failures'] => [
  ...errors.map(({ message }) => ({ file: testFile, test: 'is loaded', why: message })),
  ...(testResults ? testsOf(testResults) : [])
    .filter(({ passed, skipped }) => !passed && !skipped)
    .map(({ error, name }) => ({ file: testFile, test: name, why: error?.message ?? '' }))
]

export const reporter: Reporter = {
  onTestRunFinished({ sessions }) {
    const report: Report = {
      broken: sessions.filter(({ passed }) => !passed).map(({ testFile }) => testFile),
      failures: sessions.flatMap(failuresOf),
      passed: sessions
        .flatMap(({ testResults }) => (testResults ? testsOf(testResults) : []))
        .filter(({ passed }) => passed).length
    }
    process.stdout.write(`\n${REPORT}${JSON.stringify(report)}\n`)
  }
}

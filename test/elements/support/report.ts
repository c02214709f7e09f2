// What the browser's runner found, as one line for the program that started it; its own report is for people.

import type { Reporter, TestSession, TestSuiteResult } from '@web/test-runner'

import { WHOLE } from '../../suite/results.ts'
import { secondsOf, silenceOf } from './silence.ts'

/** How the line begins; the rest of it is a Report as JSON. */
export const REPORT = 'report: '

interface FileReport {
  readonly path: string
  /** Names of tests. */
  readonly passed: readonly string[]
  readonly seconds: number
  readonly failures: readonly { readonly test: string; readonly why: string }[]
}

export type Report = readonly FileReport[]

const testsOf = (suite: TestSuiteResult): TestSuiteResult['tests'] => [
  ...suite.tests,
  ...suite.suites.flatMap(testsOf)
]

function reportOf({ errors, id, passed, testFile, testResults }: TestSession): FileReport {
  const file = { path: testFile, seconds: secondsOf(id) }
  const silence = silenceOf(id)
  if (silence) return { ...file, failures: [{ test: WHOLE, why: silence }], passed: [] }
  const tests = (testResults ? testsOf(testResults) : []).filter(({ skipped }) => !skipped)
  const failures = [
    ...errors.map(({ message }) => ({ test: WHOLE, why: message })),
    ...tests
      .filter(test => !test.passed)
      .map(({ error, name }) => ({ test: name, why: error?.message ?? 'without a reason' }))
  ]
  if (failures.length === 0 && (!passed || tests.length === 0)) {
    failures.push({ test: WHOLE, why: passed ? 'ended without a test' : 'did not pass' })
  }
  const names = tests.filter(test => test.passed).map(({ name }) => name)
  return { ...file, failures, passed: failures.length === 0 ? [...names, WHOLE] : names }
}

export const reporter: Reporter = {
  onTestRunFinished({ sessions }) {
    process.stdout.write(`\n${REPORT}${JSON.stringify(sessions.map(reportOf))}\n`)
  }
}

// Runs test files of elements: one after the other in one Chromium, and those that failed once more.

import { relative } from 'node:path'

import { REPORT, type Report } from '../elements/support/report.ts'
import { endOf, printHeading, ROOT, runProgram } from './program.ts'
import { rerunFailed, testName, WHOLE, type Failure, type FileResults, type Results } from './results.ts'
import { recordTiming } from './timings.ts'

const CONFIG = 'test/elements/wtr.config.js'

/** Of all files; a file that hangs ends long before. */
const TIMEOUT_MS = 15 * 60_000

const failedAsAWhole = (why: string): FileResults => ({
  failures: [{ test: WHOLE, where: CONFIG, why }],
  names: new Set(),
  passed: 0,
  seconds: new Map()
})

/** @param files - paths; none: all */
export async function runElementFilesOnce(files: readonly string[]): Promise<FileResults> {
  const chosen = files.flatMap(file => ['--files', file])
  const { ok, output } = await runProgram('wtr', ['--config', CONFIG, ...chosen], TIMEOUT_MS)
  const line = output.split('\n').findLast(found => found.startsWith(REPORT))
  if (line === undefined) return failedAsAWhole(endOf(output))
  const failures: Failure[] = []
  const names = new Set<string>()
  const seconds = new Map<string, number>()
  let passed = 0
  for (const file of JSON.parse(line.slice(REPORT.length)) as Report) {
    const where = relative(ROOT, file.path)
    seconds.set(where, file.seconds)
    recordTiming(where, file.seconds)
    failures.push(...file.failures.map(failure => ({ ...failure, where })))
    for (const test of file.passed) names.add(testName({ test, where }))
    passed += file.passed.filter(test => test !== WHOLE).length
  }
  return ok || failures.length > 0 ? { failures, names, passed, seconds } : failedAsAWhole(endOf(output))
}

export async function runElementFiles(files: readonly string[] = []): Promise<Results> {
  const first = await runElementFilesOnce(files)
  if (first.failures.some(({ where }) => where === CONFIG)) return first
  return rerunFailed(first, broken => {
    printHeading(`again: ${broken.join(', ')}`)
    return runElementFilesOnce(broken)
  })
}

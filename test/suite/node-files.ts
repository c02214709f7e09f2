// Runs test files of Node: each in a process of its own, and those that failed once more, one at a time.

import { join, relative } from 'node:path'
import { finished } from 'node:stream/promises'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'

import { printHeading, ROOT } from './program.ts'
import { rerunFailed, testName, WHOLE, type Failure, type FileResults, type Results } from './results.ts'
import { recordTiming } from './timings.ts'

const TEST_TIMEOUT_MS = 5 * 60_000

/** The error of a test's body, without the runner's own around it. */
const reason = ({ cause, message }: Error): string => (cause instanceof Error ? cause.message : message)

async function runFiles(
  files: readonly string[],
  concurrency: number,
  signal: AbortSignal | undefined
): Promise<FileResults> {
  // A test that hangs leaves its servers open, and its process would wait for them for ever.
  const execArgv = ['exit-guard', 'shift-clock'].flatMap(name => [
    '--import',
    join(ROOT, `test/support/${name}.ts`)
  ])
  const tests = run({
    concurrency,
    cwd: ROOT,
    execArgv,
    files: [...files],
    timeout: TEST_TIMEOUT_MS,
    ...(signal && { signal })
  })
  const failures: Failure[] = []
  const names = new Set<string>()
  const seconds = new Map<string, number>()
  let passed = 0

  tests.on('test:complete', ({ details, file = '', name }) => {
    if (name !== file) return
    const where = relative(ROOT, file)
    seconds.set(where, details.duration_ms / 1000)
    recordTiming(where, details.duration_ms / 1000)
  })
  tests.on('test:pass', ({ details, file = '', name, skip, todo }) => {
    if (skip !== undefined || todo !== undefined) return
    const where = relative(ROOT, file)
    if (name === file) {
      failures.push({ test: WHOLE, where, why: 'ended without a test' })
      return
    }
    names.add(testName({ test: name, where })).add(testName({ test: WHOLE, where }))
    if (details.type === 'test') passed++
  })
  tests.on('test:fail', ({ details, file = '', name, skip, todo }) => {
    if (skip !== undefined || todo !== undefined) return
    // A suite fails with its tests, each of which is named by itself.
    if ('failureType' in details.error && details.error.failureType === 'subtestsFailed') return
    failures.push({
      test: name === file ? WHOLE : name,
      where: relative(ROOT, file),
      why: reason(details.error)
    })
  })

  const shown = tests.compose(spec)
  shown.pipe(process.stdout, { end: false })
  await finished(shown)
  for (const failure of failures) names.delete(testName(failure))
  return { failures, names, passed, seconds }
}

/**
 * @param concurrency - how many files run at once
 * @param signal - ends the processes of the files. Default: they end by themselves
 */
export async function runNodeFiles(
  files: readonly string[],
  concurrency: number,
  signal?: AbortSignal
): Promise<Results> {
  if (files.length === 0) return { failures: [], passed: 0 }
  return rerunFailed(await runFiles(files, concurrency, signal), broken => {
    printHeading(`again, each file alone: ${broken.join(', ')}`)
    return runFiles(
      broken.map(file => join(ROOT, file)),
      1,
      signal
    )
  })
}

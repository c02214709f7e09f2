// Test files of Node: each in a process of its own, and once more alone when it failed beside others.

import { join, relative } from 'node:path'
import { finished } from 'node:stream/promises'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'

import { ROOT } from './places.ts'
import { say } from './say.ts'
import { failure, type FilesRan, steadied, type Tally } from './tally.ts'

/** Milliseconds of one test, which nothing may hold up for ever. */
const TEST_PATIENCE = 5 * 60_000

/** The error of a test's body, without the runner's own around it. */
const reason = ({ cause, message }: Error): string => (cause instanceof Error ? cause.message : message)

async function runFiles(files: readonly string[], concurrency: number): Promise<FilesRan> {
  // A test that hangs leaves its servers open, and its process would wait for them for ever.
  const execArgv = ['--import', join(ROOT, 'test/support/ending.ts')]
  const tests = run({ concurrency, cwd: ROOT, execArgv, files: [...files], timeout: TEST_PATIENCE })
  const broken = new Set<string>()
  const failures: string[] = []
  let [passed, failed] = [0, 0]
  tests.on('test:fail', ({ details, file, name, skip, todo }) => {
    if (file === undefined || todo !== undefined || skip !== undefined) return
    broken.add(file)
    // A suite fails with its tests, each of which is named by itself.
    if ('failureType' in details.error && details.error.failureType === 'subtestsFailed') return
    failures.push(failure(`${relative(ROOT, file)}: ${name}`, reason(details.error)))
  })
  tests.on('test:summary', ({ counts, file }) => {
    if (file !== undefined) return
    passed = counts.passed
    failed = counts.tests - counts.passed - counts.skipped - counts.todo
  })
  const shown = tests.compose(spec)
  shown.pipe(process.stdout, { end: false })
  await finished(shown)
  return { broken: [...broken], failed, failures, passed }
}

/** @param concurrency how many files run at once */
export async function nodeFiles(files: readonly string[], concurrency: number): Promise<Tally> {
  if (files.length === 0) return { failed: 0, failures: [], passed: 0 }
  return steadied(await runFiles(files, concurrency), broken => {
    say(`again, each file alone: ${broken.map(file => relative(ROOT, file)).join(', ')}`)
    return runFiles(broken, 1)
  })
}

// Test files of elements: all in one Chromium, and once more those that failed.

import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'

import { REPORT, type Report } from '../elements/support/report.ts'
import { ROOT } from './places.ts'
import { program } from './program.ts'
import { say } from './say.ts'
import { failure, type FilesRan, steadied, type Tally } from './tally.ts'

const CONFIG = 'test/elements/wtr.config.js'

/** Milliseconds of all files; one that hangs is ended by the browser's runner long before. */
const PATIENCE = 15 * 60_000

async function runFiles(files: readonly string[]): Promise<FilesRan> {
  const { ok, output } = await program(
    'wtr',
    ['--config', CONFIG, ...files.flatMap(file => ['--files', file])],
    PATIENCE
  )
  const line = output.split('\n').findLast(found => found.startsWith(REPORT))
  if (line === undefined)
    return { broken: [], failed: 1, failures: [failure('wtr', output.slice(-500))], passed: 0 }
  const { broken, failures, passed } = JSON.parse(line.slice(REPORT.length)) as Report
  // A file that does not load fails the run without failing a test.
  const failed = Math.max(failures.length, broken.length, ok ? 0 : 1)
  return {
    broken,
    failed,
    failures: failures.map(({ file, test, why }) => failure(`${relative(ROOT, file)}: ${test}`, why)),
    passed
  }
}

export async function elementFiles(): Promise<Tally> {
  if (!existsSync(join(ROOT, CONFIG))) return { failed: 0, failures: [], passed: 0 }
  return steadied(await runFiles([]), broken => {
    say(`again, alone: ${broken.map(file => relative(ROOT, file)).join(', ')}`)
    return runFiles(broken)
  })
}

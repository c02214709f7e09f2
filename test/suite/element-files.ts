// Test files of elements: one after the other in one Chromium, and once more those that failed.

import { relative } from 'node:path'

import { REPORT, type Report } from '../elements/support/report.ts'
import { ROOT } from './places.ts'
import { lastWords, program } from './program.ts'
import { say } from './say.ts'
import { type Failure, type FilesRan, nameOf, steadied, type Tally, WHOLE } from './tally.ts'

const CONFIG = 'test/elements/wtr.config.js'

/** Milliseconds of all files; one that hangs is ended by the browser's runner long before. */
const PATIENCE = 15 * 60_000

const ended = (why: string): FilesRan => ({
  failures: [{ test: WHOLE, where: CONFIG, why }],
  names: new Set(),
  passed: 0
})

/** @param files - paths; none: all */
export async function runElementFiles(files: readonly string[]): Promise<FilesRan> {
  const chosen = files.flatMap(file => ['--files', file])
  const { ok, output } = await program('wtr', ['--config', CONFIG, ...chosen], PATIENCE)
  const line = output.split('\n').findLast(found => found.startsWith(REPORT))
  if (line === undefined) return ended(lastWords(output))
  const failures: Failure[] = []
  const names = new Set<string>()
  let count = 0
  for (const ran of JSON.parse(line.slice(REPORT.length)) as Report) {
    const where = relative(ROOT, ran.path)
    failures.push(...ran.failures.map(failure => ({ ...failure, where })))
    for (const test of ran.passed) names.add(nameOf({ test, where }))
    count += ran.passed.filter(test => test !== WHOLE).length
  }
  return ok || failures.length > 0 ? { failures, names, passed: count } : ended(lastWords(output))
}

export async function elementFiles(): Promise<Tally> {
  const first = await runElementFiles([])
  if (first.failures.some(({ where }) => where === CONFIG)) return first
  return steadied(first, broken => {
    say(`again: ${broken.join(', ')}`)
    return runElementFiles(broken)
  })
}

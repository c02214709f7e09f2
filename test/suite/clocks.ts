// Runs tests again at awkward instants, in zones and languages in which a day begins elsewhere.

import { join } from 'node:path'

import { runElementFiles } from './element-files.ts'
import { runNodeFiles } from './node-files.ts'
import { ROOT } from './program.ts'
import type { Failure, Results } from './results.ts'

interface Clock {
  /** Ten seconds before it strikes. */
  readonly at: string
  readonly zone: string
  readonly locale: string
}

const CLOCKS: readonly Clock[] = [
  // A year ends, for UTC.
  { at: '2026-12-31T23:59:50Z', locale: 'en_US.UTF-8', zone: 'UTC' },
  // Summer time begins.
  { at: '2027-03-14T06:59:50Z', locale: 'de_DE.UTF-8', zone: 'America/New_York' },
  // Summer time ends; UTC has another day.
  { at: '2027-04-03T13:59:50Z', locale: 'ar_EG.UTF-8', zone: 'Pacific/Auckland' },
  // 29 February begins half an hour beside the hours of UTC.
  { at: '2028-02-28T18:29:50Z', locale: 'tr_TR.UTF-8', zone: 'Asia/Kolkata' }
]

/** @param files - paths from the root */
export async function runUnderClocks(files: readonly string[], concurrency: number): Promise<Results> {
  const failures: Failure[] = []
  const unsteady: Failure[] = []
  let passed = 0
  const isOfElements = (file: string): boolean => file.startsWith('test/elements/')
  const paths = (of: (file: string) => boolean): string[] => files.filter(of).map(file => join(ROOT, file))
  const before = { ...process.env }
  for (const { at, locale, zone } of CLOCKS) {
    const where = (failure: Failure): Failure => ({
      ...failure,
      where: `${failure.where} (TEST_CLOCK=${at} TZ=${zone} LC_ALL=${locale})`
    })
    const settings = { LC_ALL: locale, TEST_CLOCK: at, TZ: zone }
    Object.assign(process.env, settings)
    try {
      for (const found of [
        await runNodeFiles(
          paths(file => !isOfElements(file)),
          concurrency
        ),
        await runElementFiles(paths(isOfElements))
      ]) {
        failures.push(...found.failures.map(where))
        unsteady.push(...(found.unsteady ?? []).map(where))
        passed += found.passed
      }
    } finally {
      for (const name of Object.keys(settings)) {
        if (before[name] === undefined) delete process.env[name]
        else process.env[name] = before[name]
      }
    }
  }
  return { failures, passed, unsteady }
}

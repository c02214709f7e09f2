// Keeps the seconds that each test file took in its last run, in a file that git ignores.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { printHeading, ROOT } from './program.ts'

const FILE = join(ROOT, 'test/timings.json')

const SLOWEST_COUNT = 15

/** Seconds by the path of a file. */
export type Timings = Record<string, number>

export function readTimings(): Timings {
  try {
    return JSON.parse(readFileSync(FILE, 'utf8')) as Timings
  } catch {
    return {}
  }
}

/** Writes at once, so that a run that is stopped keeps what it measured. */
export function recordTiming(file: string, seconds: number): void {
  const all = { ...readTimings(), [file]: Math.round(seconds * 10) / 10 }
  const sorted = Object.entries(all).toSorted(([a], [b]) => a.localeCompare(b))
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`)
}

export function printSlowest(seconds: ReadonlyMap<string, number>): void {
  if (seconds.size === 0) return
  const slowest = [...seconds].toSorted(([, a], [, b]) => b - a).slice(0, SLOWEST_COUNT)
  const lines = slowest.map(([file, value]) => `${value.toFixed(1).padStart(6)} s  ${file}`)
  printHeading(`the slowest files\n${lines.join('\n')}`)
}

// Keeps the seconds that each test file took in its last run, in a file that git ignores.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { printHeading, ROOT } from './program.ts'

const FILE = join(ROOT, 'test/timings.json')

const SLOWEST_COUNT = 15

export type Timings = Readonly<Record<string, number>>

export function readTimings(): Timings {
  try {
    return JSON.parse(readFileSync(FILE, 'utf8')) as Timings
  } catch {
    return {}
  }
}

export function recordTimings(seconds: ReadonlyMap<string, number>): void {
  if (seconds.size === 0) return
  const all = { ...readTimings() }
  for (const [file, value] of seconds) all[file] = Math.round(value * 10) / 10
  const sorted = Object.fromEntries(Object.entries(all).sort(([a], [b]) => a.localeCompare(b)))
  writeFileSync(FILE, `${JSON.stringify(sorted, undefined, 2)}\n`)
  const slowest = [...seconds].sort(([, a], [, b]) => b - a).slice(0, SLOWEST_COUNT)
  const lines = slowest.map(([file, value]) => `${value.toFixed(1).padStart(6)} s  ${file}`)
  printHeading(`the slowest files\n${lines.join('\n')}`)
}

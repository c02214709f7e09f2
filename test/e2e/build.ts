// The built kit, for tests that load it as a page does: made when a source is newer than the last build.

import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { until } from '../support/process.ts'

const ROOT = join(import.meta.dirname, '../..')
const LOCK = join(ROOT, 'node_modules/.notif-build')
const SOURCES = ['components', 'demo', 'service-worker', 'vite.config.ts']

const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

function newest(path: string): number {
  if (!statSync(path).isDirectory()) return changedAt(path)
  const inside = readdirSync(path, { recursive: true, withFileTypes: true })
  return Math.max(
    ...inside
      .filter(entry => entry.isFile() && !/[\\/](?:dist|node_modules)(?:[\\/]|$)/.test(entry.parentPath))
      .map(entry => changedAt(join(entry.parentPath, entry.name)))
  )
}

const isFresh = (): boolean =>
  changedAt(join(ROOT, 'dist/demo/index.html')) >
  Math.max(...SOURCES.map(source => newest(join(ROOT, source))))

function take(): boolean {
  try {
    mkdirSync(LOCK)
    return true
  } catch {
    // A build takes a second or two: a lock of a minute ago is of a process that was killed.
    if (Date.now() - changedAt(LOCK) > 60_000) rmSync(LOCK, { force: true, recursive: true })
    return false
  }
}

/** Test files run beside each other, and only one of them may build. */
export async function ensureBuilt(): Promise<void> {
  if (isFresh()) return
  await until(take, 'another test builds the kit', 120_000)
  try {
    if (isFresh()) return
    const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
    execFileSync(process.execPath, [vite, 'build', '--logLevel', 'error'], { cwd: ROOT, stdio: 'inherit' })
  } finally {
    rmSync(LOCK, { force: true, recursive: true })
  }
}

// The built kit, for tests that load it as a page does.

import { mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { build, isBuilt } from '../../server/process/build-browser-files.ts'
import { until } from '../support/process.ts'

const LOCK = join(import.meta.dirname, '../../node_modules/.notif-build')

function take(): boolean {
  try {
    mkdirSync(LOCK)
    return true
  } catch {
    // A build takes a second or two: a lock of a minute ago is of a process that was killed.
    const since = statSync(LOCK, { throwIfNoEntry: false })?.mtimeMs
    if (since !== undefined && Date.now() - since > 60_000) rmSync(LOCK, { force: true, recursive: true })
    return false
  }
}

/** Test files run beside each other, and only one of them may build. */
export async function ensureBuilt(): Promise<void> {
  if (isBuilt()) return
  await until(take, 'another test builds the kit', 120_000)
  try {
    if (isBuilt()) return
    const code = build()
    if (code !== 0) throw new Error(`The build ended with ${code}.`)
  } finally {
    rmSync(LOCK, { force: true, recursive: true })
  }
}

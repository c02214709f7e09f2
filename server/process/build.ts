// What browsers get: built when one of its sources is newer than the last build.
//
// A build empties the folder that a server serves from, so nobody builds what is there already.

import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const SOURCES = ['components', 'demo', 'service-worker', 'vite.config.ts', 'package-lock.json']

/** Of the demos' apps; made by them. */
const MADE = /[\\/](?:dist|node_modules)(?:[\\/]|$)/

/** Milliseconds since 1970; 0: it is not there. */
const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

function newest(path: string): number {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return changedAt(path)
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && !MADE.test(entry.parentPath))
    .reduce((latest, { name, parentPath }) => Math.max(latest, changedAt(join(parentPath, name))), 0)
}

/** The page of all states is written last. */
export const isBuilt = (): boolean =>
  changedAt(join(ROOT, 'dist/demo/states.html')) >
  Math.max(...SOURCES.map(source => newest(join(ROOT, source))))

/** @returns exit code: 0 is success */
export function build(): number {
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
  const { status } = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: ROOT,
    stdio: 'inherit'
  })
  return status ?? 1
}

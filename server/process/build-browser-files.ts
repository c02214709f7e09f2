// Builds the files for browsers if one of their sources is newer than the last build.
//
// A build empties the folder that a running server serves, so nothing is built without need.

import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const SOURCES = ['components', 'demo', 'service-worker', 'vite.config.ts', 'package-lock.json']

/** Built files and dependencies of the demo apps, which are no sources. */
const GENERATED = /[\\/](?:dist|node_modules)(?:[\\/]|$)/

const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

function newestChange(path: string): number {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return changedAt(path)
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && !GENERATED.test(entry.parentPath))
    .reduce((latest, { name, parentPath }) => Math.max(latest, changedAt(join(parentPath, name))), 0)
}

/** The build writes the page of all states last. */
export const isBuilt = (): boolean =>
  changedAt(join(ROOT, 'dist/demo/states.html')) >
  Math.max(...SOURCES.map(source => newestChange(join(ROOT, source))))

/** @returns the exit code; 0 is success */
export function build(): number {
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
  const { status } = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: ROOT,
    stdio: 'inherit'
  })
  return status ?? 1
}

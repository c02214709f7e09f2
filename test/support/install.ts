// Packages that only one test or measurement stands on: installed by it, into a folder of their own.

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Installs a folder's packages where they are missing, as its lock file says.
 *
 * @param name - one of them, which tells whether they are there
 * @throws Error in a sentence that says what to do
 */
export function ensureInstalled(folder: string, name: string): void {
  if (existsSync(join(folder, 'node_modules', name, 'package.json'))) return
  const { status, stderr } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 300_000
  })
  if (status !== 0) throw new Error(`${name} could not be installed: run npm ci in ${folder}.\n${stderr}`)
}

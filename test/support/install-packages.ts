// Installs packages that only one test or measurement needs, into a folder of their own.

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Installs the packages of a folder, as its lock file says, unless they are installed already.
 *
 * @param name - the package whose presence shows that all are installed
 * @throws Error that names the package and the command to run
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

// Installs packages that only one test or measurement needs, into a folder of their own.

import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** What npm reads of a folder. */
const FILES = ['package.json', 'package-lock.json', '.npmrc']

/**
 * Installs the packages of a folder, as its lock file says, unless they are installed already. Several processes may
 * call it for one folder at once: each installs into a new folder, and one renames its result into place.
 *
 * @param name - the package whose presence shows that all are installed
 * @throws Error that names the package and the command to run
 */
export function ensureInstalled(folder: string, name: string): void {
  const modules = join(folder, 'node_modules')
  const installed = () => existsSync(join(modules, name, 'package.json'))
  if (installed()) return
  // Beside the folder, so that the rename stays on one file system.
  const fresh = mkdtempSync(join(dirname(folder), '.install-'))
  try {
    for (const file of FILES) {
      if (existsSync(join(folder, file))) cpSync(join(folder, file), join(fresh, file))
    }
    const { status, stderr } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: fresh,
      encoding: 'utf8',
      timeout: 300_000
    })
    if (status !== 0) throw new Error(`${name} could not be installed: run npm ci in ${folder}.\n${stderr}`)
    place(join(fresh, 'node_modules'), modules, installed)
  } finally {
    rmSync(fresh, { force: true, recursive: true })
  }
}

/** Moves installed packages to where they belong, unless another process has done so meanwhile. */
function place(from: string, to: string, installed: () => boolean): void {
  try {
    renameSync(from, to)
  } catch (failure) {
    // The folder exists and is not empty: another process was first, or an older lock file left it without the package.
    if (installed()) return
    if (!existsSync(to)) throw failure
    renameSync(to, `${from}-old`)
    renameSync(from, to)
  }
}

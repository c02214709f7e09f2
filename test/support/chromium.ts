// Finds the Chromium that CHROMIUM_PATH names or that is installed, or installs one with apt.

import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/snap/bin/chromium'
]

const runs = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** @returns its path, or undefined if none is installed */
export function findChromium(): string | undefined {
  const named = process.env['CHROMIUM_PATH']
  if (named) return runs(named) ? named : undefined
  const folders = (process.env['PATH'] ?? '').split(delimiter).concat('/usr/bin')
  return [...folders.flatMap(folder => NAMES.map(name => join(folder, name))), ...PLACES].find(runs)
}

/**
 * Installs Chromium only as root on a system with apt.
 *
 * @throws Error with the command that installs one
 */
export function findOrInstallChromium(say: (line: string) => void): string {
  const found = findChromium()
  if (found) return found
  const named = process.env['CHROMIUM_PATH']
  if (named) throw new Error(`CHROMIUM_PATH names ${named}, which is not a program. Correct or unset it.`)
  if (process.getuid?.() === 0 && runs('/usr/bin/apt-get')) {
    say('no Chromium is here: installing it with apt')
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const options = {
      env,
      stdio: ['ignore', 'inherit', 'inherit'] as ('ignore' | 'inherit')[],
      timeout: 600_000
    }
    spawnSync('apt-get', ['update', '-q'], options)
    spawnSync('apt-get', ['install', '-q', '-y', '--no-install-recommends', 'chromium'], options)
    const installed = findChromium()
    if (installed) return installed
  }
  throw new Error(
    'The tests need a Chromium and found none. Install one (apt-get install chromium), ' +
      'or set CHROMIUM_PATH to the program.'
  )
}

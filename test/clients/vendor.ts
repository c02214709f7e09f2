// The hosted product's React components stand on 230 MB of other packages: only their test installs them.

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

export const VENDOR = join(import.meta.dirname, 'vendor')

/** Installs them where they are missing, as the lock file says. @throws Error in a sentence that says what to do */
export function ensureVendor(): void {
  if (existsSync(join(VENDOR, 'node_modules/@notificationapi/react/package.json'))) return
  const { status, stderr } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: VENDOR,
    encoding: 'utf8',
    timeout: 300_000
  })
  if (status !== 0) {
    throw new Error(`The React components could not be installed: run npm ci in ${VENDOR}.\n${stderr}`)
  }
}

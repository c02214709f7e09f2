// The hosted product's React components stand on 230 MB of other packages: only their test installs them.

import { join } from 'node:path'

import { ensureInstalled } from '../support/install-packages.ts'

export const VENDOR = join(import.meta.dirname, 'vendor')

export const ensureVendor = (): void => ensureInstalled(VENDOR, '@notificationapi/react')

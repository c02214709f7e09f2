// Installs the hosted product's React components for their test only, because they need 230 MB of other packages.

import { join } from 'node:path'

import { ensureInstalled } from '../support/install-packages.ts'

export const LEGACY_SDK = join(import.meta.dirname, 'legacy-sdk')

export const ensureLegacySdk = (): void => ensureInstalled(LEGACY_SDK, '@notificationapi/react')

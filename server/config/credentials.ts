// Settings of credentials: the first environment, the operator's tokens, and the encryption key.

import { clientId, flag, longSecret, ownSecret, setting } from './parse.ts'

export const KEYS = {
  key: setting(
    'NOTIF_KEY',
    'Encrypts the secrets in the database, 32 characters or more; unset: generated in the data directory',
    longSecret,
    true
  ),
  keyPrevious: setting(
    'NOTIF_KEY_PREVIOUS',
    'The key before a rotation: all secrets are encrypted with NOTIF_KEY at start',
    longSecret,
    true
  ),
  clientId: setting(
    'NOTIF_CLIENT_ID',
    'Client id of the first environment; unset: generated at first start',
    clientId
  ),
  clientSecret: setting(
    'NOTIF_CLIENT_SECRET',
    'Client secret of the first environment; unset: generated at first start and printed once',
    ownSecret,
    true
  ),
  secureMode: setting(
    'NOTIF_SECURE_MODE',
    'Front-end calls to the first environment need the user hash; unset: unchanged, 1 at first start',
    flag.optional()
  ),
  adminToken: setting(
    'NOTIF_ADMIN_TOKEN',
    'Bearer token of operators; unset: generated at first start and printed once',
    ownSecret,
    true
  ),
  metricsToken: setting(
    'NOTIF_METRICS_TOKEN',
    'Bearer token that may read /metrics; unset: requests from the same machine may, others need the admin token',
    ownSecret,
    true
  )
} as const

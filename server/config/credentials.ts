// Settings of who may come in: the first environment, the operator, and the key that keeps secrets.

import { flag, longSecret, pathSegment, secretText, setting } from './parse.ts'

export const KEYS = {
  clientId: setting(
    'NOTIF_CLIENT_ID',
    'Client id of the first environment; generated at first start',
    pathSegment
  ),
  clientSecret: setting(
    'NOTIF_CLIENT_SECRET',
    'Its secret; generated at first start, printed once',
    secretText,
    true
  ),
  key: setting(
    'NOTIF_KEY',
    'Encrypts the secrets in the database, 32 characters or more; unset: made in the data directory',
    longSecret,
    true
  ),
  keyPrevious: setting(
    'NOTIF_KEY_PREVIOUS',
    'The key before, to change it: all secrets are encrypted anew at start',
    longSecret,
    true
  ),
  adminToken: setting(
    'NOTIF_ADMIN_TOKEN',
    'Bearer token for operators; generated at first start, printed once',
    secretText,
    true
  ),
  metricsToken: setting(
    'NOTIF_METRICS_TOKEN',
    'Bearer token of whoever reads /metrics; unset: open to the same machine, otherwise the admin token',
    secretText,
    true
  ),
  secureMode: setting(
    'NOTIF_SECURE_MODE',
    'Front-end calls to the first environment need the user hash; unset: as it was, at first 1',
    flag.optional()
  )
} as const

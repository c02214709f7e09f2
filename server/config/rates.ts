// Settings of how often somebody may ask.

import { setting, whole } from './parse.ts'

export const RATES = {
  requestsPerSecond: setting(
    'NOTIF_REQUESTS_PER_SECOND',
    'Front-end requests a second from one address',
    whole(50, 1, 1_000_000)
  ),
  environmentRequestsPerSecond: setting(
    'NOTIF_ENVIRONMENT_REQUESTS_PER_SECOND',
    'Back-end requests a second of one environment, where it has no limit of its own; 0: any number',
    whole(0, 0, 1_000_000)
  ),
  socketsPerAddress: setting(
    'NOTIF_SOCKETS_PER_ADDRESS',
    'Open sockets from one address',
    whole(200, 1, 1_000_000)
  )
} as const

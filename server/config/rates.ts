// Settings of rates: how often clients may call this server, and how often this server may call a provider.

import { setting, whole } from './parse.ts'

const perSecond = (env: string, what: string) =>
  setting(env, `${what} per second that one process starts at most; 0: unlimited`, whole(0, 0, 100_000))

export const RATES = {
  requestsPerSecond: setting(
    'NOTIF_REQUESTS_PER_SECOND',
    'Front-end requests per second of one user with a valid hash, otherwise of one address',
    whole(50, 1, 1_000_000)
  ),
  environmentRequestsPerSecond: setting(
    'NOTIF_ENVIRONMENT_REQUESTS_PER_SECOND',
    'Back-end requests per second of an environment without a limit of its own; 0: unlimited',
    whole(0, 0, 1_000_000)
  ),
  socketsPerAddress: setting(
    'NOTIF_SOCKETS_PER_ADDRESS',
    'Open sockets from one address',
    whole(200, 1, 1_000_000)
  ),
  connectionsLimit: setting(
    'NOTIF_CONNECTIONS_LIMIT',
    'Open client connections in total; further ones are closed and logged. 0: as many as `ulimit -n` has room for',
    whole(0, 0, 10_000_000)
  ),
  connectionsPerAddress: setting(
    'NOTIF_CONNECTIONS_PER_ADDRESS',
    'Open connections from one address that is not in NOTIF_TRUSTED_PROXIES, and at most half of all',
    whole(1000, 1, 10_000_000)
  ),
  emailPerSecond: perSecond('NOTIF_EMAIL_PER_SECOND', 'Emails'),
  smsPerSecond: perSecond('NOTIF_SMS_PER_SECOND', 'Text messages'),
  callPerSecond: perSecond('NOTIF_CALL_PER_SECOND', 'Calls'),
  apnsPerSecond: perSecond('NOTIF_APNS_PER_SECOND', 'APNs pushes'),
  fcmPerSecond: perSecond('NOTIF_FCM_PER_SECOND', 'FCM pushes'),
  webPushPerSecond: perSecond('NOTIF_WEB_PUSH_PER_SECOND', 'Web pushes'),
  slackPerSecond: perSecond('NOTIF_SLACK_PER_SECOND', 'Slack messages')
} as const

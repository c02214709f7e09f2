// Settings of how often somebody may ask us, and how often we may ask a provider.

import { setting, whole } from './parse.ts'

const perSecond = (env: string, what: string) =>
  setting(env, `${what} a second that one process begins at most; 0: any number`, whole(0, 0, 100_000))

export const RATES = {
  requestsPerSecond: setting(
    'NOTIF_REQUESTS_PER_SECOND',
    'Front-end requests a second of one user with a hash, or else from one address',
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
  ),
  connectionsLimit: setting(
    'NOTIF_CONNECTIONS_LIMIT',
    'Open connections of clients in all; more are closed, and the log says so. 0: as many as `ulimit -n` has room for',
    whole(0, 0, 10_000_000)
  ),
  emailPerSecond: perSecond('NOTIF_EMAIL_PER_SECOND', 'Mails'),
  smsPerSecond: perSecond('NOTIF_SMS_PER_SECOND', 'Text messages'),
  callPerSecond: perSecond('NOTIF_CALL_PER_SECOND', 'Calls'),
  apnsPerSecond: perSecond('NOTIF_APNS_PER_SECOND', 'Pushes to Apple devices'),
  fcmPerSecond: perSecond('NOTIF_FCM_PER_SECOND', 'Pushes by Firebase'),
  webPushPerSecond: perSecond('NOTIF_WEB_PUSH_PER_SECOND', 'Pushes to browsers'),
  slackPerSecond: perSecond('NOTIF_SLACK_PER_SECOND', 'Messages to Slack')
} as const

// Settings of sizes, rates, times and defaults that differ between installations.
//
// A limit is a setting only if an operator has a reason for another value: memory, disk, provider, law. Every other limit is
// a constant beside the code that holds it.

import { z } from 'zod'

import { timeZone } from '../core/contact.ts'
import { locale } from '../core/locale.ts'
import { setting, whole } from './parse.ts'

const perSecond = (env: string, what: string) =>
  setting(env, `${what} per second that one process starts at most; 0: unlimited`, whole(0, 0, 100_000))

/** How often clients may call this server, and how often this server may call a provider. */
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
    'Open sockets and waiting polls from one address',
    whole(200, 1, 1_000_000)
  ),
  connectionsLimit: setting(
    'NOTIF_CONNECTIONS_LIMIT',
    'Open client connections in total; further ones are closed and logged. 0: as many as `ulimit -n` has room for',
    whole(0, 0, 10_000_000)
  ),
  emailPerSecond: perSecond('NOTIF_EMAIL_PER_SECOND', 'Emails'),
  smsPerSecond: perSecond('NOTIF_SMS_PER_SECOND', 'Text messages'),
  callPerSecond: perSecond('NOTIF_CALL_PER_SECOND', 'Calls'),
  apnsPerSecond: perSecond('NOTIF_APNS_PER_SECOND', 'APNs pushes'),
  fcmPerSecond: perSecond('NOTIF_FCM_PER_SECOND', 'FCM pushes'),
  webPushPerSecond: perSecond('NOTIF_WEB_PUSH_PER_SECOND', 'Web pushes'),
  slackPerSecond: perSecond('NOTIF_SLACK_PER_SECOND', 'Slack messages')
} as const

export const LIMITS = {
  retentionDays: setting(
    'NOTIF_RETENTION_DAYS',
    'Days that logs (sends and attempts) are kept. Dead letters are kept for at most 30 of these days, sandbox messages for at most 7',
    whole(30, 1, 3650)
  ),
  drainSeconds: setting(
    'NOTIF_DRAIN_SECONDS',
    'Longest time that SIGTERM waits for requests and deliveries in progress',
    whole(25, 1, 600)
  ),
  bodyMaxBytes: setting(
    'NOTIF_BODY_MAX_BYTES',
    'Largest request body in bytes',
    whole(512 * 1024, 1024, 64 * 1024 * 1024 * 1024)
  ),
  inlineFilesMaxBytes: setting(
    'NOTIF_INLINE_FILES_MAX_BYTES',
    'Bytes of base64 that files in a send may have in addition to NOTIF_BODY_MAX_BYTES',
    whole(14_000_000, 0, 64 * 1024 * 1024)
  ),
  renderTimeoutMs: setting(
    'NOTIF_RENDER_TIMEOUT_MS',
    'Longest time for rendering one template, in milliseconds',
    whole(200, 1, 60_000)
  ),
  locale: setting(
    'NOTIF_LOCALE',
    'Language (BCP 47) of templates that name none: for dates, and the lang attribute of emails',
    locale.optional()
  ),
  timezone: setting(
    'NOTIF_TIMEZONE',
    'Time zone of users without one, if their environment has none either: for digests, and dates in templates',
    z.string().default('UTC').pipe(timeZone)
  )
} as const

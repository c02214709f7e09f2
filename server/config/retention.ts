// Settings of what is remembered: how long, and how much of it one request may read or change.

import { setting, whole } from './parse.ts'

export const LOGS = {
  retentionDays: setting(
    'NOTIF_RETENTION_DAYS',
    'How long logs (sends and attempts) are kept',
    whole(30, 1, 3650)
  ),
  deadLetterDays: setting(
    'NOTIF_DEAD_LETTER_DAYS',
    'How long dead letters can be redriven; never longer than logs are kept',
    whole(30, 1, 3650)
  ),
  redriveLimit: setting(
    'NOTIF_REDRIVE_LIMIT',
    'Most dead letters that one request redrives or drops',
    whole(1000, 1, 10_000)
  ),
  sandboxDays: setting('NOTIF_SANDBOX_DAYS', 'How long the sandbox keeps messages', whole(7, 1, 3650)),
  logQuerySeconds: setting(
    'NOTIF_LOG_QUERY_SECONDS',
    'Longest time for one page of a log query',
    whole(3, 1, 60)
  ),
  logAnswerBytes: setting(
    'NOTIF_LOG_ANSWER_BYTES',
    'Bytes of requests after which a page of the log ends',
    whole(8_000_000, 1000, 1_000_000_000)
  )
} as const

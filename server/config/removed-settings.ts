// What replaces each setting that an earlier version had, for the error message of a start that still sets it.

const renamed = (name: string): string => `This setting was removed. Set ${name} instead.`
const fixed = (value: string): string => `This setting was removed: it is fixed at ${value}.`
const fixedButFor = (value: string, name: string): string => `${fixed(value)} See ${name}.`

export const REMOVED_SETTINGS: Readonly<Record<string, string>> = {
  NOTIF_APNS_BYTES: fixed('2,048 bytes'),
  NOTIF_APNS_SLOTS: renamed('NOTIF_PUSH_CONCURRENCY'),
  NOTIF_BATCH_BYTES: fixed('8 MB'),
  NOTIF_BODY_LIMIT: renamed('NOTIF_BODY_MAX_BYTES'),
  NOTIF_BOUNCE_BYTES: fixed('1 MiB'),
  NOTIF_BOUNCE_COPIES: fixed('300 reports'),
  NOTIF_BOUNCE_DAYS: fixed('14 days'),
  NOTIF_CALL_CHARACTERS: fixed('1,500 characters'),
  NOTIF_COLLAPSE_ID_BYTES: fixed('64 bytes'),
  NOTIF_DB_WAIT_SECONDS: fixed('60 seconds'),
  NOTIF_DEAD_LETTER_DAYS: fixedButFor(
    '30 days, or the retention of logs if that is shorter',
    'NOTIF_RETENTION_DAYS'
  ),
  NOTIF_DEPTH_LIMIT: fixed('32 levels'),
  NOTIF_DEVICES_LIMIT: fixed('200 devices'),
  NOTIF_DIGEST_BYTES: fixed('10 MB'),
  NOTIF_DIGEST_ITEMS: fixed('500 notifications'),
  NOTIF_EMAIL_BYTES: renamed('NOTIF_EMAIL_MAX_BYTES'),
  NOTIF_EMAIL_FROM_NAME:
    'This setting was removed. Put the name into NOTIF_EMAIL_FROM: Name <user@example.com>.',
  NOTIF_EXPORTS: fixed('2 exports'),
  NOTIF_EXPORT_SECONDS: fixed('30 seconds'),
  NOTIF_FCM_SLOTS: renamed('NOTIF_PUSH_CONCURRENCY'),
  NOTIF_FETCH_AHEAD_BYTES: fixed('10 GiB'),
  NOTIF_FETCH_SLOTS: fixed('10 files'),
  NOTIF_FILES_LIMIT: renamed('NOTIF_INLINE_FILES_MAX_BYTES'),
  NOTIF_GROUP_SIZE: fixed('200 sends'),
  NOTIF_INBOX_PAGE_BYTES: fixed('4 MiB'),
  NOTIF_KEYS_LIMIT: fixed('10,000 keys'),
  NOTIF_LOG_ANSWER_BYTES: fixed('8 MB'),
  NOTIF_LOG_QUERY_SECONDS: fixed('3 seconds'),
  NOTIF_MERGE_TAGS_LIMIT: fixed('256 KiB'),
  NOTIF_MERGE_TAGS_WARN: fixed('150 kB'),
  NOTIF_OUTBOUND_SECONDS: fixed('30 seconds'),
  NOTIF_PIECES: fixed('500 layouts and partials'),
  NOTIF_PIECE_COUNT: fixed('200 layouts and partials in one text'),
  NOTIF_PIECE_DEPTH: fixed('8 levels'),
  NOTIF_PLIVO_URL: renamed('NOTIF_SMS_URL'),
  NOTIF_PREFERENCES_LIMIT: fixed('1,000 preferences'),
  NOTIF_PROPERTIES_LIMIT: fixed('25 properties'),
  NOTIF_QUEUE_BYTES: fixed('64 MiB'),
  NOTIF_QUEUE_LIMIT: fixed('5,000 sends'),
  NOTIF_READER_SECONDS: fixed('60 seconds'),
  NOTIF_REDRIVE_LIMIT: fixed('1,000 dead letters'),
  NOTIF_RENDER_BYTES: fixed('1 MB'),
  NOTIF_RENDER_MILLIS: renamed('NOTIF_RENDER_TIMEOUT_MS'),
  NOTIF_SANDBOX_DAYS: fixedButFor(
    '7 days, or the retention of logs if that is shorter',
    'NOTIF_RETENTION_DAYS'
  ),
  NOTIF_SANDBOX_PAGE_BYTES: fixed('8 MB'),
  NOTIF_SCHEDULE_LIMIT_DAYS: fixed('366 days'),
  NOTIF_SLACK_CONNECTIONS: fixedButFor('10 messages in progress', 'NOTIF_SLACK_PER_SECOND'),
  NOTIF_SMS_SEGMENTS: fixed('10 segments'),
  NOTIF_SOCKET_BACKLOG: fixed('1 MB'),
  NOTIF_TTL_SECONDS: fixed('2,419,200 seconds (four weeks)'),
  NOTIF_TWILIO_URL: renamed('NOTIF_SMS_URL'),
  NOTIF_VONAGE_URL: renamed('NOTIF_SMS_URL'),
  NOTIF_WEB_PUSH_BYTES: fixed('3,993 bytes'),
  NOTIF_WEB_PUSH_SLOTS: renamed('NOTIF_PUSH_CONCURRENCY'),
  NOTIF_WEB_PUSH_TTL_SECONDS: fixed('2,419,200 seconds (four weeks)'),
  NOTIF_WEB_PUSH_URGENCY: fixed('normal')
}

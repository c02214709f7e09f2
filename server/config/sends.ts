// Settings of sends: the limits of what one may hold (spec/interface.md "Limits").

import { z } from 'zod'

import { timeZone } from '../core/contact.ts'
import { setting, whole } from './parse.ts'

export const SENDING = {
  mergeTagsWarn: setting(
    'NOTIF_MERGE_TAGS_WARN',
    'Bytes of merge tags above which the answer warns',
    whole(150_000, 1, 1_000_000_000)
  ),
  mergeTagsLimit: setting(
    'NOTIF_MERGE_TAGS_LIMIT',
    'Bytes of merge tags above which the send is refused',
    whole(256 * 1024, 1, 1_000_000_000)
  ),
  emailBytes: setting(
    'NOTIF_EMAIL_BYTES',
    'Bytes of one mail with its attachments, encoded, above which it is refused',
    whole(25 * 1024 * 1024, 10_000, 1024 * 1024 * 1024)
  ),
  filesLimit: setting(
    'NOTIF_FILES_LIMIT',
    'Bytes of base64 by which files in a send may go beyond NOTIF_BODY_LIMIT',
    whole(14_000_000, 0, 64 * 1024 * 1024)
  ),
  fetchSlots: setting(
    'NOTIF_FETCH_SLOTS',
    'Files of mails fetched at the same time, each with one piece in memory',
    whole(10, 1, 1000)
  ),
  fetchAheadBytes: setting(
    'NOTIF_FETCH_AHEAD_BYTES',
    'Bytes of fetched files that may wait in the database for their mails; above it, the next files wait where they are',
    whole(10 * 1024 * 1024 * 1024, 0, Number.MAX_SAFE_INTEGER)
  ),
  batchBytes: setting(
    'NOTIF_BATCH_BYTES',
    'Bytes of sends, as they are stored, that a queue reads in advance or a page of schedules holds; larger ones are read one by one',
    whole(8_000_000, 0, 1024 * 1024 * 1024)
  ),
  collapseIdBytes: setting(
    'NOTIF_COLLAPSE_ID_BYTES',
    'Bytes of options.apn.collapseId above which the send is refused',
    whole(64, 1, 1000)
  ),
  ttlSeconds: setting(
    'NOTIF_TTL_SECONDS',
    'Seconds of options.fcm.android.ttl above which the send is refused; default: four weeks',
    whole(2_419_200, 1, 1_000_000_000)
  ),
  scheduleLimitDays: setting(
    'NOTIF_SCHEDULE_LIMIT_DAYS',
    'How far ahead a schedule may be',
    whole(366, 1, 3660)
  ),
  timezone: setting(
    'NOTIF_TIMEZONE',
    'Time zone of users who have none, where their environment names none: when their digests come, and dates in templates',
    z.string().default('UTC').pipe(timeZone)
  ),
  digestItems: setting(
    'NOTIF_DIGEST_ITEMS',
    'Most notifications in one digest; what is more comes in another one at the same time',
    whole(500, 1, 100_000)
  ),
  digestBytes: setting(
    'NOTIF_DIGEST_BYTES',
    'Bytes of the sends in one digest, likewise',
    whole(10_000_000, 1000, 100_000_000)
  )
} as const

// Reads language and time zone of the user of a preview.

import type { Environment } from '../config/environment.ts'
import { bucketOf } from '../core/id.ts'
import type { Context } from '../process/context.ts'
import { resolveTimeZone, type StoredReader } from '../send/plan/recipient.ts'
import { readContacts } from '../users/users.sql.ts'
import type { PreviewBody } from './schema.ts'

/** Takes each value from the body, from the stored user, from the environment or from the installation, in this order. */
export async function readPreviewReader(
  { config, db }: Pick<Context, 'config' | 'db'>,
  { id: envId, settings }: Environment,
  type: string,
  { id, locale, timezone }: NonNullable<PreviewBody['to']>
): Promise<StoredReader> {
  const stored = id === undefined ? undefined : await readContact(db, envId, id, type)
  const language = locale ?? stored?.locale
  return {
    timezone: resolveTimeZone(timezone ?? stored?.timezone, settings, config.timezone),
    ...(language !== undefined && { locale: language })
  }
}

async function readContact(db: Context['db'], envId: string, userId: string, notificationId: string) {
  const bucket = bucketOf(envId, userId)
  const key = { bucket, envId, notificationId, subNotificationId: '', userId }
  const [contact] = await readContacts(db.of(bucket).sql, [key])
  return contact
}

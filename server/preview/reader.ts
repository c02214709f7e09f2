// Who reads a preview: where they are and in which language they read, as of a send to them.

import type { Environment } from '../config/environment.ts'
import { bucketOf } from '../core/id.ts'
import type { Context } from '../process/context.ts'
import type { StoredReader } from '../send/plan/recipient.ts'
import { zoneOf } from '../send/plan/zone.ts'
import { readContacts } from '../users/users.sql.ts'
import type { PreviewBody } from './schema.ts'

/** What the body says, else what is stored of the user that it names, else what holds for everybody. */
export async function readReader(
  { config, db }: Pick<Context, 'config' | 'db'>,
  { id: envId, settings }: Environment,
  type: string,
  { id, locale, timezone }: NonNullable<PreviewBody['to']>
): Promise<StoredReader> {
  const stored = id === undefined ? undefined : await contactOf(db, envId, id, type)
  const language = locale ?? stored?.locale
  return {
    timezone: zoneOf(timezone ?? stored?.timezone, settings, config.timezone),
    ...(language !== undefined && { locale: language })
  }
}

async function contactOf(db: Context['db'], envId: string, userId: string, notificationId: string) {
  const bucket = bucketOf(envId, userId)
  const asked = { bucket, envId, notificationId, subNotificationId: '', userId }
  const [contact] = await readContacts(db.of(bucket).sql, [asked])
  return contact
}

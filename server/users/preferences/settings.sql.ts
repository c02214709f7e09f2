// Stores the delivery settings of a user. Lock order: the user's row, waiting rows of the outbox.

import type { Channel } from '#protocol'

import type { UserKey } from '../../core/id.ts'
import type { Json, Tx } from '../../db/db.ts'
import { makeWaitingDue } from '../../queue/revisit-waiting.sql.ts'
import type { DeliverySettings } from './delivery-settings.ts'

export interface ChangedSettings {
  readonly settings: DeliverySettings
  readonly timezone: string | undefined
}

/**
 * Changes the settings under the lock of the user, and revisits what waits.
 *
 * @param change - returns the new settings; undefined if all are at their defaults. It may throw.
 */
export async function changeSettings(
  tx: Tx,
  user: UserKey,
  change: (settings: DeliverySettings, blocked: readonly Channel[]) => DeliverySettings | undefined
): Promise<ChangedSettings> {
  const { bucket, envId, userId } = user
  const [row] = await tx<
    { settings: DeliverySettings | null; timezone: string | null; blocked: Channel[] }[]
  >`
    with locked as (
      insert into users (bucket, env_id, id) values (${bucket}, ${envId}, ${userId})
      on conflict (bucket, env_id, id) do update set updated_at = excluded.updated_at
      returning delivery_settings as settings, timezone)
    select *, array(
      select p.channel from preferences p
      where p.bucket = ${bucket} and p.env_id = ${envId} and p.user_id = ${userId} and p.notification_id = ''
    ) as blocked from locked`
  const settings = change(row!.settings ?? {}, row!.blocked)
  const json = settings === undefined ? null : tx.json(settings as unknown as Json)
  await tx`
    update users set delivery_settings = ${json}::jsonb
    where bucket = ${bucket} and env_id = ${envId} and id = ${userId}`
  await makeWaitingDue(tx, user, { includesHeld: true })
  return { settings: settings ?? {}, timezone: row!.timezone ?? undefined }
}

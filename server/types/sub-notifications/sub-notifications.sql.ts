// Stores the titles of sub-notifications. They belong to types, not to users, so they have no bucket.

import { sha256 } from '../../core/hash.ts'
import type { Db } from '../../db/db.ts'

export interface SubNotification {
  readonly notificationId: string
  readonly id: string
  readonly title: string
}

/** @returns undefined if the type does not exist */
export async function putSub(
  { control }: Pick<Db, 'control'>,
  envId: string,
  { notificationId, id, title }: SubNotification
): Promise<'created' | 'replaced' | undefined> {
  const [row] = await control<{ created: boolean }[]>`
    insert into sub_notifications (env_id, notification_id, key, id, title)
    select env_id, id, ${sha256(id)}, ${id}, ${title}
    from notifications where env_id = ${envId} and id = ${notificationId} for key share
    on conflict (env_id, notification_id, key) do update set title = excluded.title
    returning xmax = 0 as created`
  return row && (row.created ? 'created' : 'replaced')
}

/** Keeps the preferences of users. @returns false if the sub-notification does not exist */
export async function deleteSub(
  { control }: Pick<Db, 'control'>,
  envId: string,
  { notificationId, id }: Omit<SubNotification, 'title'>
): Promise<boolean> {
  const deleted = await control`
    delete from sub_notifications
    where env_id = ${envId} and notification_id = ${notificationId} and key = ${sha256(id)}`
  return deleted.count > 0
}

// The demo's samples, written with dates in the past: the one thing that no REST call can do.
//
// Lock order: head, then items, then topics (as everywhere).

import { bucketOf, placeOf, uuidv7 } from '../core/id.ts'
import type { Db } from '../db/db.ts'
import { rememberingTopics } from '../users/preferences/preferences.sql.ts'
import type { SampleItem } from './samples.ts'

/** Types that the samples are of, as a send would make them, but with a title. Those that are there stay as they are. */
export async function seedTypes(db: Db, envId: string, items: readonly SampleItem[]): Promise<void> {
  await db.control`
    insert into notifications (env_id, id, title, channels, settings)
    select ${envId}, id, title, '{EMAIL,INAPP_WEB}', '{"adHoc": true}'
    from unnest(${items.map(item => item.type)}::text[], ${items.map(item => item.typeTitle)}::text[]) as t(id, title)
    on conflict (env_id, id) do nothing`
}

/** Fills an inbox that has never held anything; an inbox that has is left alone. */
export async function seedInbox(
  db: Db,
  envId: string,
  userId: string,
  items: readonly SampleItem[],
  now: number
): Promise<boolean> {
  const bucket = bucketOf(envId, userId)
  const dated = items.map(item => ({ ...item, seq: now - item.minutesAgo * 60_000 }))
  const version = Math.max(...dated.map(({ seq }) => seq))
  const unopened = items.filter(({ read }) => !read).length
  return db.of(bucket).sql.begin(async tx => {
    const made = await tx`
      insert into inbox_heads (bucket, env_id, user_id, version, unopened, unarchived)
      values (${bucket}, ${envId}, ${userId}, ${version}, ${unopened}, ${items.length})
      on conflict (bucket, env_id, user_id) do nothing`
    if (made.count === 0) return false
    for (const { seq, type, title, body, image, url, read } of dated) {
      const content = { body, title, ...(image && { imageURL: image }), ...(url && { redirectURL: url }) }
      await tx`
        insert into inbox_items (bucket, env_id, user_id, seq, id, notification_id, content, opened_at)
        values (${bucket}, ${envId}, ${userId}, ${seq}, ${uuidv7(placeOf(envId, userId))}, ${type},
          ${tx.json(content)}, ${read ? new Date(seq) : null})`
    }
    const topics = items.map(({ type }) => ({
      bucket,
      envId,
      notificationId: type,
      subNotificationId: '',
      userId
    }))
    await rememberingTopics(tx, topics)
    return true
  })
}

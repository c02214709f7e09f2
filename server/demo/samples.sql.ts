// Writes the demo's sample notifications into the database, because no REST call can set dates in the past.
//
// Lock order: inbox head, items, topics.

import { bucketOf, placementHash, uuidv7 } from '../core/id.ts'
import type { Db, Json } from '../db/db.ts'
import { insertReceivedTopics } from '../users/preferences/preferences.sql.ts'
import type { SampleItem } from './samples.ts'

/** Adds the types of the samples, as a send would add them, but with a title. Existing types stay unchanged. */
export async function seedTypes(db: Db, envId: string, items: readonly SampleItem[]): Promise<void> {
  await db.control`
    insert into notifications (env_id, id, title, channels, settings)
    select ${envId}, id, title, '{EMAIL,INAPP_WEB}', '{"adHoc": true}'
    from unnest(${items.map(item => item.type)}::text[], ${items.map(item => item.typeTitle)}::text[]) as t(id, title)
    on conflict (env_id, id) do nothing`
}

/** Fills an inbox that has never held anything. @returns false for any other inbox, which stays unchanged */
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
    const inserted = await tx`
      insert into inbox_counters (bucket, env_id, user_id, version, unopened, unarchived, unseen)
      values (${bucket}, ${envId}, ${userId}, ${version}, ${unopened}, ${items.length}, ${unopened})
      on conflict (bucket, env_id, user_id) do nothing`
    if (inserted.count === 0) return false
    for (const { seq, type, title, titleRuns, body, image, url, read } of dated) {
      const content = {
        body,
        title,
        ...(titleRuns && { titleRuns }),
        ...(image && { imageURL: image }),
        ...(url && { redirectURL: url })
      }
      await tx`
        insert into inbox_items (bucket, env_id, user_id, seq, id, notification_id, content, seen_at, opened_at)
        values (${bucket}, ${envId}, ${userId}, ${seq}, ${uuidv7(placementHash(envId, userId))}, ${type},
          ${tx.json(content as unknown as Json)}, ${read ? new Date(seq) : null}, ${read ? new Date(seq) : null})`
    }
    const topics = items.map(({ type }) => ({
      bucket,
      envId,
      notificationId: type,
      subNotificationId: '',
      userId
    }))
    await insertReceivedTopics(tx, topics)
    return true
  })
}

/**
 * Gives pictures of the demo that an earlier start wrote the present address of this server, whose port may be another one. The text
 * becomes JSON by a cast, because Citus refuses to_jsonb in an update of a column.
 *
 * @param base - an origin, so it has no character that JSON escapes
 */
export async function movePictures(db: Db, envId: string, userId: string, base: string): Promise<void> {
  const bucket = bucketOf(envId, userId)
  await db.of(bucket).sql`
    update inbox_items
    set content = jsonb_set(content, '{imageURL}',
      ('"' || ${base} || substring(content->>'imageURL' from '/img/.*$') || '"')::jsonb)
    where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId}
      and content->>'imageURL' ~ '^http://(127[.]0[.]0[.]1|localhost)(:[0-9]+)?/img/[a-z]+[.]svg$'
      and not starts_with(content->>'imageURL', ${`${base}/`})`
}

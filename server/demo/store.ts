// The demo's samples, written with dates in the past: the one thing that no REST call can do.
//
// Lock order: head, then items (as everywhere).

import type { Db } from '../db/sql.ts'
import { bucketOf, placeOf, uuidv7 } from '../id.ts'
import type { SampleItem } from './samples.ts'

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
    return true
  })
}

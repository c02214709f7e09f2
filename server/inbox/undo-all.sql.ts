// Takes an action on all items back.

import { MARKS, type InboxChange, type Instant, type Mark } from '#protocol'

import type { UserKey } from '../core/id.ts'
import type { InboxEvent } from '../core/live-updates.ts'
import type { Fragment, Tx } from '../db/db.ts'
import { changeLockedItems, lockInboxes, toInboxEvent } from './change-items.sql.ts'
import { isOverwritten, MAX_CHANGE_ITEMS, storeAllWrites } from './patch-items.sql.ts'
import { NO_COUNTS } from './read-inbox.sql.ts'

/**
 * Takes an action on all items back: clears the marks that it set, where nobody wrote them since. An action on all items that is
 * later than the undo and arrived before it counts as such a write, even if it changed nothing because the marks were set already.
 * The version finds the action only in this inbox. An action that is not among the last ones, or that was taken back, changes nothing.
 *
 * @param version - of the undo token
 */
export async function undoAllWrite(
  tx: Tx,
  user: UserKey,
  version: number,
  patchAt: Instant | undefined,
  maxBytes = Number.MAX_SAFE_INTEGER
): Promise<{ readonly change: InboxChange; readonly event?: InboxEvent }> {
  const [inbox] = await lockInboxes(tx, [user.bucket], [user])
  if (!inbox) return { change: { counts: NO_COUNTS, items: [], prev: 0, removed: [], version: 0 } }
  const earlier = inbox.allWrites ?? []
  const write = earlier.find(one => one.version === version)
  if (!write) return { change: toInboxEvent(inbox, []).change }
  const at = Math.max(write.at, Math.min(patchAt === undefined ? Infinity : Date.parse(patchAt), inbox.nowMs))
  const later = earlier.filter(one => one.at > at)
  const isWritten = (mark: Mark): Fragment => {
    const index = MARKS.indexOf(mark) + 1
    return tx`(${write.marks[mark] !== undefined}::boolean and i.write_times[${index}::integer] = ${write.at}
      and i.${tx(`${mark}_at`)} = ${write.marks[mark] ?? null}::timestamptz and not ${isOverwritten(tx, mark, later)})`
  }
  const [first, ...rest] = MARKS.map(
    (mark, i) => tx`case when ${isWritten(mark)} then ${at}::bigint else i.write_times[${i + 1}::integer] end`
  )
  const times = rest.reduce((all, one) => tx`${all}, ${one}`, first!)
  const [event] = await changeLockedItems(tx, [user.bucket], [user], {
    // The changed items are found by their index.
    condition: tx`i.changed >= ${version} and i.seq between ${write.from} and ${write.through}
      and (${write.types ?? null}::text[] is null or i.notification_id = any(${write.types ?? null}::text[]))`,
    isVisibleOnly: true,
    limits: { maxBytes, maxItems: MAX_CHANGE_ITEMS },
    newValues: {
      ...Object.fromEntries(
        MARKS.map(mark => [
          `${mark}_at`,
          tx`case when not coalesce(${isWritten(mark)}, false) then i.${tx(`${mark}_at`)} end`
        ])
      ),
      write_times: tx`array[${times}, i.write_times[7]]`
    }
  })
  await storeAllWrites(
    tx,
    user,
    earlier.filter(one => one !== write)
  )
  return event ? { change: event.change, event } : { change: toInboxEvent(inbox, []).change }
}

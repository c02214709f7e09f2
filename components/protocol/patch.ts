// What a patch does to one notification it covers: the same on the server, in a page that does not wait for it, and in tests.

import type { InboxPatch } from './inbox.ts'
import { MARKS, type Mark, type Notif } from './notif.ts'

/** To open everything or to archive everything is about what still waits: archived ones keep whatever marks they have. */
const isAboutUnarchived = (marks: { readonly [mark in Mark]?: string | null }): boolean =>
  MARKS.every(
    mark => marks[mark] === undefined || ((mark === 'opened' || mark === 'archived') && marks[mark])
  )

/** The notification after the patch; the same object when nothing changes. `'ALL'` leaves times that are already there. */
export function patchNotif(notif: Notif, { reply, trackingIds, ...marks }: InboxPatch): Notif {
  const all = trackingIds === 'ALL'
  if (all && notif.archived && isAboutUnarchived(marks)) return notif
  const next: { -readonly [K in keyof Notif]: Notif[K] } = { ...notif }
  let changed = false
  for (const mark of MARKS) {
    const value = marks[mark]
    if (value === undefined || (value ? all && next[mark] : !next[mark])) continue
    if (value) next[mark] = value
    else delete next[mark]
    changed = true
  }
  if (reply) next.replies = [...(next.replies ?? []), reply]
  return changed || reply ? next : notif
}

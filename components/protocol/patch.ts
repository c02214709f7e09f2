// Applies a patch to a notification: the same code on the server, for optimistic updates, and in tests.

import type { InboxPatch } from './inbox.ts'
import { MARKS, type Mark, type Notif } from './notif.ts'

/** Opening or archiving all does not change archived notifications. */
const isAboutUnarchived = (marks: { readonly [mark in Mark]?: string | null }): boolean =>
  MARKS.every(
    mark => marks[mark] === undefined || ((mark === 'opened' || mark === 'archived') && marks[mark])
  )

/** Returns the notification after the patch; the same object if nothing changes. `'ALL'` keeps marks that are set. */
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

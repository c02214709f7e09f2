// Applies a patch to a notification: the same rules on the server, for optimistic updates, and in tests.

import type { InboxPatch } from './inbox.ts'
import { MARKS, type Instant, type Notif } from './notif.ts'

/**
 * Returns the marks that follow from a patch: who acts has read, and who reads has seen. They are set where they are not set yet.
 * What becomes unseen becomes unread.
 */
export function impliedMarks({ actioned1, actioned2, clicked, opened, reply, seen }: InboxPatch): {
  readonly seen?: Instant
  readonly opened?: Instant | null
} {
  const acted = clicked ?? actioned1 ?? actioned2 ?? reply?.date
  const read = opened ?? acted
  return {
    ...(opened === undefined && (acted ? { opened: acted } : seen === null && { opened: null })),
    ...(read && !seen && { seen: read })
  }
}

/**
 * Returns the notification after the patch; the same object if nothing changes. `'ALL'` keeps marks that are set. An archived
 * notification is not snoozed any more, and a snoozed one not archived. Times of earlier writes are the server's concern.
 */
export function patchNotif(notif: Notif, patch: InboxPatch): Notif {
  const { at, reply, snoozedUntil, trackingIds } = patch
  const isAll = trackingIds === 'ALL'
  const implied = impliedMarks(patch)
  const next: { -readonly [K in keyof Notif]: Notif[K] } = { ...notif }
  const write = (name: (typeof MARKS)[number] | 'snoozedUntil', value: Instant | null | undefined): void => {
    if (value) next[name] = value
    else if (value === null) delete next[name]
  }
  for (const mark of MARKS) {
    const value = patch[mark]
    const follows = implied[mark as keyof typeof implied]
    if (!follows) write(mark, value && isAll ? (next[mark] ?? value) : value)
    if (follows === null || next[mark] === undefined) write(mark, follows)
  }
  const until = patch.archived && !isAll ? null : snoozedUntil
  if (until || (until === null && next.snoozedUntil)) {
    delete next.snoozedAt
    if (until && at) next.snoozedAt = at
    if (until && patch.archived === undefined) delete next.archived
  }
  write('snoozedUntil', until)
  const isChanged = [...MARKS, 'snoozedUntil' as const].some(name => next[name] !== notif[name])
  if (reply) next.replies = [...(next.replies ?? []), reply]
  return isChanged || reply ? next : notif
}

// An item of an inbox as it is written and as it comes out of the database, and the one way from there to a Notif.

import type { Notif } from '#protocol'

/** What a notification says, rendered; kept as jsonb. */
export interface ItemContent {
  readonly title: string
  readonly body?: string
  readonly imageURL?: string
  readonly redirectURL?: string
  /** Merge tags of the send. */
  readonly parameters?: Readonly<Record<string, unknown>>
}

export interface ItemRow {
  /** Version that made it: its place in the inbox and its date. */
  readonly seq: number
  readonly id: string
  readonly notificationId: string
  readonly subId: string
  readonly content: ItemContent
  readonly expiresAt: Date | null
  /** Version that last changed it. */
  readonly changed: number | null
  readonly removed: boolean
  readonly openedAt: Date | null
  readonly clickedAt: Date | null
  readonly archivedAt: Date | null
  readonly actioned1At: Date | null
  readonly actioned2At: Date | null
  readonly replies: Notif['replies'] | null
}

export function toNotif(row: ItemRow): Notif {
  const { title, body, imageURL, redirectURL, parameters } = row.content
  return {
    id: row.id,
    type: row.notificationId,
    ...(row.subId !== '' && { subNotificationId: row.subId }),
    title,
    ...(body !== undefined && { body }),
    ...(imageURL !== undefined && { imageURL }),
    ...(redirectURL !== undefined && { redirectURL }),
    date: new Date(row.seq).toISOString(),
    ...(row.expiresAt && { expDate: Math.floor(row.expiresAt.getTime() / 1000) }),
    ...(parameters !== undefined && { parameters }),
    ...(row.openedAt && { opened: row.openedAt.toISOString() }),
    ...(row.clickedAt && { clicked: row.clickedAt.toISOString() }),
    ...(row.archivedAt && { archived: row.archivedAt.toISOString() }),
    ...(row.actioned1At && { actioned1: row.actioned1At.toISOString() }),
    ...(row.actioned2At && { actioned2: row.actioned2At.toISOString() }),
    ...(row.replies && { replies: row.replies }),
    rev: row.changed ?? row.seq
  }
}

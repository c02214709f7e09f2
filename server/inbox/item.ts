// The stored form of an inbox item, and its conversion to a notification.

import type { ItemExtras, Notif, TextRun } from '#protocol'

/** The rendered notification; stored as jsonb. */
export interface ItemContent extends ItemExtras {
  readonly title: string
  readonly titleRuns?: readonly TextRun[]
  readonly body?: string
  readonly bodyRuns?: readonly TextRun[]
  readonly imageURL?: string
  readonly redirectURL?: string
  /** Merge tags of the send. */
  readonly parameters?: Readonly<Record<string, unknown>>
}

/** What is kept about the updates of an item by the back end: the column `updates`. */
export interface ItemUpdates {
  readonly count: number
  /** Of the last update, in ISO 8601. */
  readonly at: string
  /** Names of the fields of the last update. */
  readonly fields: readonly string[]
  /** Of the last update that made the item new, in ISO 8601. */
  readonly newAt?: string
}

export interface ItemRow {
  /** Inbox version that created the item: its position in the inbox and its date. */
  readonly seq: number
  readonly id: string
  readonly notificationId: string
  readonly subId: string
  readonly content: ItemContent
  readonly expiresAt: Date | null
  /** Inbox version that last changed the item; null: never changed. */
  readonly changed: number | null
  readonly removed: boolean
  readonly seenAt: Date | null
  readonly openedAt: Date | null
  readonly clickedAt: Date | null
  readonly archivedAt: Date | null
  readonly actioned1At: Date | null
  readonly actioned2At: Date | null
  readonly snoozedUntil: Date | null
  readonly snoozedAt: Date | null
  readonly replies: Notif['replies'] | null
}

export function toNotification(row: ItemRow): Notif {
  const { title, titleRuns, body, bodyRuns, imageURL, redirectURL, parameters, ...extras } = row.content
  return {
    id: row.id,
    type: row.notificationId,
    ...(row.subId !== '' && { subNotificationId: row.subId }),
    title,
    ...(titleRuns && { titleRuns }),
    ...(body !== undefined && { body }),
    ...(bodyRuns && { bodyRuns }),
    ...(imageURL !== undefined && { imageURL }),
    ...(redirectURL !== undefined && { redirectURL }),
    date: new Date(row.seq).toISOString(),
    ...(row.expiresAt && { expDate: Math.floor(row.expiresAt.getTime() / 1000) }),
    ...(parameters !== undefined && { parameters }),
    ...(row.seenAt && { seen: row.seenAt.toISOString() }),
    ...(row.openedAt && { opened: row.openedAt.toISOString() }),
    ...(row.clickedAt && { clicked: row.clickedAt.toISOString() }),
    ...(row.archivedAt && { archived: row.archivedAt.toISOString() }),
    ...(row.actioned1At && { actioned1: row.actioned1At.toISOString() }),
    ...(row.actioned2At && { actioned2: row.actioned2At.toISOString() }),
    ...(row.snoozedUntil && { snoozedUntil: row.snoozedUntil.toISOString() }),
    ...(row.snoozedAt && { snoozedAt: row.snoozedAt.toISOString() }),
    ...(row.replies && { replies: row.replies }),
    ...extras,
    rev: row.changed ?? row.seq
  }
}

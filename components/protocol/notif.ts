// One in-app notification, as a front end sees it.

import type { ItemExtras } from './content.ts'

/** Tracking id of the send that made the notification (a uuidv7). */
export type NotifId = string

/** Instant as ISO 8601 in UTC with milliseconds, e.g. `2026-11-20T04:34:37.557Z`. */
export type Instant = string

/** A part of a title or body. Its text is plain text, to be shown in these styles. */
export interface TextRun {
  readonly text: string
  readonly bold?: true
  readonly italic?: true
  readonly underline?: true
  readonly strike?: true
  readonly code?: true
  /** A link: http(s), mailto, or a path of the same site. */
  readonly href?: string
  /** A line break. */
  readonly break?: true
}

/**
 * An in-app notification. Text fields are plain text.
 * Field names are those of the interface document, "In-app notification object".
 */
export interface Notif extends ItemExtras {
  readonly id: NotifId
  /** Id of the notification type, e.g. `new_comment`. */
  readonly type: string
  readonly subNotificationId?: string
  readonly title: string
  /** The title in parts with styles; absent if it has none. Their texts together are the title. */
  readonly titleRuns?: readonly TextRun[]
  readonly body?: string
  /** As `titleRuns`, of the body. */
  readonly bodyRuns?: readonly TextRun[]
  /** http(s) address of a picture. */
  readonly imageURL?: string
  /** Link of the notification: http(s), mailto, or a path of the same site. */
  readonly redirectURL?: string
  /** Time of the send, or when it last came back to the top; unique in an inbox, so notifications are sorted by it. */
  readonly date: Instant
  /** Unix time in seconds after which it disappears. */
  readonly expDate?: number
  /** Merge tags of the send. */
  readonly parameters?: Readonly<Record<string, unknown>>
  /** It was in sight. */
  readonly seen?: Instant
  /** It was read: followed, acted on, or marked as read. */
  readonly opened?: Instant
  readonly clicked?: Instant
  readonly archived?: Instant
  readonly actioned1?: Instant
  readonly actioned2?: Instant
  /** It is out of the inbox until then. */
  readonly snoozedUntil?: Instant
  /** When it was last snoozed; stays after the snooze has ended. */
  readonly snoozedAt?: Instant
  readonly replies?: readonly { readonly date: Instant; readonly message: string }[]
  /** Version of the inbox that last changed this notification: a smaller one never overwrites a greater. */
  readonly rev: number
}

/** Times of actions of the user on a notification. */
export const MARKS = ['seen', 'opened', 'clicked', 'archived', 'actioned1', 'actioned2'] as const
export type Mark = (typeof MARKS)[number]

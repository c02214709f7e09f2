// A user's inbox: its notifications and their read state.

import type { Call, CallOptions } from './call.ts'
import type { InAppAction, InAppActor, InAppContent, InAppIcon } from './content.ts'
import type { Instant, PageOptions } from './names.ts'

/** A part of a title or body. Its text is plain text, to be shown in these styles. */
export interface InAppTextRun {
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

/** One in-app notification. Its texts are plain text. */
export interface InAppNotification {
  /** Tracking id of its send. */
  readonly id: string
  readonly type: string
  readonly subNotificationId?: string
  readonly title: string
  /** The title in parts with styles; absent if its template has no mark-up. Their texts together are the title. */
  readonly titleRuns?: readonly InAppTextRun[]
  readonly body?: string
  /** As `titleRuns`, of the body. */
  readonly bodyRuns?: readonly InAppTextRun[]
  readonly imageURL?: string
  readonly redirectURL?: string
  /** Unique within one inbox. */
  readonly date: Instant
  /** Unix time in seconds at which the notification disappears. */
  readonly expDate?: number
  readonly parameters?: Readonly<Record<string, unknown>>
  /** It was in sight. */
  readonly seen?: Instant
  /** It was read. */
  readonly opened?: Instant
  readonly clicked?: Instant
  readonly archived?: Instant
  readonly actioned1?: Instant
  readonly actioned2?: Instant
  /** It is out of the inbox until then. */
  readonly snoozedUntil?: Instant
  /** When it was last snoozed. */
  readonly snoozedAt?: Instant
  readonly replies?: readonly { readonly date: Instant; readonly message: string }[]
  readonly actions?: readonly InAppAction[]
  readonly outcome?: InAppOutcome
  readonly reply?: { readonly label?: string; readonly max?: number }
  readonly progress?: InAppProgress
  readonly actors?: readonly InAppActor[]
  readonly actorCount?: number
  readonly imageShape?: 'round' | 'square'
  readonly icon?: InAppIcon
  readonly tone?: 1 | 2 | 3 | 4 | 5 | 6
  /** Version of the inbox at the last change of this notification. */
  readonly rev: number
}

/** What became of the pressed button. */
export interface InAppOutcome {
  readonly actionId: string
  readonly state: 'pending' | 'done' | 'failed'
  readonly at: Instant
  /** Replaces the words of the elements, such as “You approved this”. */
  readonly text?: string
  /** Name of the person who acted, if it is not this user. */
  readonly by?: string
}

export interface InAppProgress {
  /** 0 to 1; absent: unknown. */
  readonly value?: number
  readonly text?: string
  readonly state: 'running' | 'done' | 'failed'
}

export interface InAppCounts {
  /** Neither opened nor archived. */
  readonly unopened: number
  /** Not archived. */
  readonly unarchived: number
  /** Neither seen, opened nor archived. */
  readonly unseen: number
  /** Snoozed; these count only here. */
  readonly snoozed: number
}

export interface InAppPage {
  /** Newest first. */
  readonly items: readonly InAppNotification[]
  /** Cursor of the next page. Absent on the last page. */
  readonly next?: string
  /** Version of the inbox; it grows with each change. */
  readonly version: number
  /** Counts of the whole inbox. */
  readonly counts: InAppCounts
}

/** Change of the read state: an instant sets a field, `null` clears it, and a missing field stays unchanged. */
export interface InAppUpdate {
  /** Notifications to change; `'ALL'`: every notification. Ids that are not in the inbox are ignored. */
  readonly trackingIds: readonly string[] | 'ALL'
  /** When the user acted. An older write to a mark than the last one is ignored. Default: now. */
  readonly at?: Instant
  /** With `'ALL'`: only notifications up to this version of the inbox. */
  readonly through?: number
  /** With `'ALL'`: only notifications from this version of the inbox on. */
  readonly from?: number
  /** With `'ALL'`: only notifications of these types. */
  readonly types?: readonly string[]
  /** With `'ALL'` and no fields: `undo` of an earlier result. Takes that change back where nobody wrote since. */
  readonly undo?: string
  readonly seen?: Instant | null
  readonly opened?: Instant | null
  readonly clicked?: Instant | null
  readonly archived?: Instant | null
  readonly actioned1?: Instant | null
  readonly actioned2?: Instant | null
  /** Takes notifications out of the inbox until then; `null` brings them back. */
  readonly snoozedUntil?: Instant | null
  /** Reply to add to `replies`. Not allowed with `'ALL'`. */
  readonly reply?: { readonly date: Instant; readonly message: string }
}

/** Update of one notification: `null` removes a field, and a missing field stays unchanged. Texts are plain, not Liquid. */
export type InAppItemUpdate = {
  readonly [K in Exclude<keyof InAppContent, 'title'>]?: InAppContent[K] | null
} & {
  readonly title?: string
  /** `state`: default `done`, which replaces the buttons. */
  readonly outcome?:
    | (Partial<Pick<InAppOutcome, 'state' | 'text' | 'by'>> & { readonly actionId: string })
    | null
  /** `true`: the notification becomes new, unread and the first one. Default: it changes in its place. */
  readonly notify?: boolean
}

/** Result of an update. */
export interface InAppChange {
  readonly version: number
  readonly counts: InAppCounts
  /** The changed notifications after the update. */
  readonly items: readonly InAppNotification[]
  /** After a change of `'ALL'`: the token that takes it back. */
  readonly undo?: string
}

/** Which notifications a page has. */
export interface InAppFilter extends PageOptions {
  /** `inbox`: neither archived nor snoozed. `snoozed`: the soonest first, one page. Default: all. */
  readonly view?: 'all' | 'inbox' | 'unread' | 'archived' | 'snoozed'
  /** Ids of types. Default: all. */
  readonly types?: readonly string[]
  /** Tags of types: also the types that have one of them. */
  readonly tags?: readonly string[]
}

/** Counters of an inbox by type. */
export interface InAppTypeCounts {
  readonly version: number
  /** Unread notifications by type id. */
  readonly byType: Readonly<Record<string, number>>
  /** Ids of the types that have each of the requested tags. */
  readonly tags: Readonly<Record<string, readonly string[]>>
}

export const inAppCalls = (call: Call) => ({
  /** Returns a page of a user's inbox. `count`: 1 to 1000, default: 50. */
  listInApp: (
    userId: string,
    { tags, types, ...page }: InAppFilter = {},
    options?: CallOptions
  ): Promise<InAppPage> =>
    call(
      {
        method: 'GET',
        path: ['users', userId, 'inbox'],
        query: { ...page, ...(tags && { tags: tags.join() }), ...(types && { types: types.join() }) }
      },
      options
    ),

  /** Counts the unread notifications of types, or of the types that have tags. Default: of all types. */
  countInApp: (
    userId: string,
    { tags, types }: { readonly tags?: readonly string[]; readonly types?: readonly string[] } = {},
    options?: CallOptions
  ): Promise<InAppTypeCounts> =>
    call(
      {
        method: 'GET',
        path: ['users', userId, 'inbox', 'counts'],
        query: { ...(tags && { tags: tags.join() }), ...(types && { types: types.join() }) }
      },
      options
    ),

  /** Changes the read state of notifications. */
  updateInAppNotification: (
    userId: string,
    update: InAppUpdate,
    options?: CallOptions
  ): Promise<InAppChange> =>
    call({ body: update, method: 'PATCH', path: ['users', userId, 'inbox'] }, options),

  /** Updates one notification in its place, such as its progress. @throws NotifProblem 404 if the user does not have it */
  updateInAppItem: (
    userId: string,
    trackingId: string,
    update: InAppItemUpdate,
    options?: CallOptions
  ): Promise<InAppNotification> =>
    call({ body: update, method: 'PATCH', path: ['users', userId, 'inbox', trackingId] }, options)
})

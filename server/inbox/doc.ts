// The API reference of the inbox.

import { z } from 'zod'

import { ICONS, IMAGE_SHAPES, MAX_ACTIONS, MAX_ACTORS, TONES } from '#protocol'

import { anyObject, instant, trackingId } from '../http/common-schemas.ts'
import type { Doc } from '../http/route-doc.ts'
import { changesQuery, inboxPatch, pageQuery, legacyPatch, legacyQuery } from './schema.ts'

const marks = {
  actioned1: instant.optional(),
  actioned2: instant.optional(),
  archived: instant.optional(),
  clicked: instant.optional(),
  opened: instant.optional(),
  seen: instant.optional()
}
const replies = z.array(z.object({ date: instant, message: z.string() })).optional()

const style = z.literal(true).optional()
const runs = z
  .array(
    z.object({
      bold: style,
      break: style.meta({ description: 'A line break.' }),
      code: style,
      href: z.string().optional().meta({ description: 'Address of a link: http, https, mailto, or a path.' }),
      italic: style,
      strike: style,
      text: z.string(),
      underline: style
    })
  )
  .optional()

const imageAddress = z.string().optional()
const progressStates = z.enum(['running', 'done', 'failed'])

const extras = {
  actions: z
    .array(
      z.object({
        id: z.string(),
        label: z.string(),
        style: z.enum(['primary', 'danger']).optional(),
        url: z.string().optional(),
        send: z.literal(true).optional()
      })
    )
    .max(MAX_ACTIONS)
    .optional()
    .meta({ description: 'Buttons: links, webhooks of the server with `send`, or events of the page.' }),
  actorCount: z.int().optional().meta({ description: 'Number of people, with those not in `actors`.' }),
  actors: z
    .array(z.object({ name: z.string(), imageURL: imageAddress }))
    .max(MAX_ACTORS)
    .optional(),
  icon: z.enum(ICONS).optional(),
  imageShape: z.enum(IMAGE_SHAPES).optional(),
  outcome: z
    .object({
      actionId: z.string(),
      state: z.enum(['pending', 'done', 'failed']),
      at: instant,
      text: z.string().optional(),
      by: z.string().optional()
    })
    .optional()
    .meta({ description: 'What became of the pressed button.' }),
  progress: z
    .object({
      value: z.number().min(0).max(1).optional(),
      text: z.string().optional(),
      state: progressStates
    })
    .optional(),
  reply: z
    .object({ label: z.string().optional(), max: z.int().optional() })
    .optional()
    .meta({ description: 'The user may reply in the row.' }),
  tone: z.literal(TONES).optional()
}

export const notif = z.object({
  ...marks,
  ...extras,
  body: z.string().optional(),
  bodyRuns: runs.meta({ description: 'As `titleRuns`, of the body.' }),
  date: instant,
  expDate: z
    .int()
    .optional()
    .meta({ description: 'Unix time in seconds after which the notification disappears.' }),
  id: trackingId,
  imageURL: z.string().optional(),
  parameters: anyObject.optional(),
  redirectURL: z.string().optional(),
  replies,
  rev: z.int().meta({ description: 'Version of the inbox that last changed the notification.' }),
  snoozedAt: instant.optional().meta({ description: 'When the notification was last snoozed.' }),
  snoozedUntil: instant.optional().meta({ description: 'The notification is out of the inbox until then.' }),
  subNotificationId: z.string().optional(),
  title: z.string().meta({ description: 'Plain text.' }),
  titleRuns: runs.meta({
    description:
      'The title in parts with styles, if its template has mark-up. Their texts together are the title.'
  }),
  type: z.string()
})

const counts = z.object({
  snoozed: z.int().meta({ description: 'Snoozed notifications. The other counters leave them out.' }),
  unarchived: z.int().meta({ description: 'Notifications that are not archived.' }),
  unopened: z.int().meta({ description: 'Notifications that are neither opened nor archived.' }),
  unseen: z.int().meta({ description: 'Notifications that are neither seen, opened nor archived.' })
})
const version = z.int().meta({ description: 'Number that grows with every change of the inbox.' })

const page = z.object({
  counts,
  items: z.array(notif),
  next: z
    .string()
    .optional()
    .meta({ description: 'Cursor of the next, older page; absent on the last page.' }),
  version
})

export const change = z.object({
  counts,
  items: z.array(notif),
  prev: version,
  removed: z.array(trackingId),
  undo: z
    .string()
    .optional()
    .meta({ description: 'In the answer to a change of `ALL`: the token that takes it back.' }),
  version
})

const reset = z.object({ reset: z.literal(true), version })
const pause = z
  .object({ isOn: z.boolean(), until: instant.nullable() })
  .optional()
  .describe('The pause of the user; without it, or with a time that is over, there is none.')
const preferences = z.object({ pause, preferences: z.literal(true) })

const ID = '019a2f4e-6c1d-7a53-9d1e-1f0c5b7a4e21'

export const pageDoc: Doc = {
  answer: page,
  examples: [
    { name: 'Empty inbox', params: { userId: 'new' }, status: 200 },
    { name: 'Newest ten', query: { count: '10' }, status: 200 },
    { name: 'Wrong cursor', query: { cursor: '?' }, status: 422 }
  ],
  operationId: 'readInbox',
  query: pageQuery,
  summary: 'List an inbox, newest first, with exact counters',
  tag: 'inbox'
}

export const changesDoc: Doc = {
  answer: z.union([change.extend({ pause }), reset, preferences]),
  description:
    'Lists the changes after `since`, the `version` that the client knows. `reset` means that there are too many: read the first page again. With `wait`, the answer comes with the next change, or without changes after so many seconds; `preferences` means that the preferences have changed, and the inbox has not. If too many requests wait, or the server stops, the answer comes sooner: pause before you ask again.',
  examples: [
    { name: 'All changes', query: { since: '0' }, status: 200 },
    { name: 'All changes, or the next one', query: { since: '0', wait: '0.1' }, status: 200 },
    { name: 'A longer wait than 25 seconds', query: { since: '0', wait: '26' }, status: 422 }
  ],
  operationId: 'readInboxChanges',
  query: changesQuery,
  summary: 'List what changed since a version',
  tag: 'inbox'
}

export const patchDoc: Doc = {
  answer: change,
  body: inboxPatch,
  description:
    'Absent fields stay, `null` clears a field. Ids of other users are ignored. `ALL` means every notification up to `through`. If more notifications changed than one answer can hold, `items` and `removed` are empty and `prev` equals `version`: read the changes since the version that the client knows.',
  examples: [
    {
      body: { opened: '2026-11-20T04:34:37.557Z', trackingIds: 'ALL' },
      name: 'Mark all as opened',
      status: 200
    },
    { body: { archived: '2026-11-20T04:34:37.557Z', trackingIds: [ID] }, name: 'Archive one', status: 200 },
    { body: { trackingIds: 'some' }, name: 'Neither ids nor ALL', status: 422 }
  ],
  operationId: 'markInbox',
  summary: 'Mark notifications as opened, clicked, archived, actioned or replied to',
  tag: 'inbox'
}

const { seen: _, ...legacyMarks } = marks

const legacyNotification = z.object({
  ...legacyMarks,
  date: instant,
  expDate: z.int().optional(),
  id: trackingId,
  imageURL: z.string().optional(),
  notificationId: z.string(),
  parameters: anyObject.optional(),
  redirectURL: z.string().optional(),
  replies,
  seen: z.boolean(),
  subNotificationId: z.string().optional(),
  title: z.string().meta({ description: 'HTML. Values are escaped.' })
})

export const legacyListDoc: Doc = {
  deprecated: true,
  answer: z.object({
    couldLoadMore: z.boolean(),
    hasMore: z.boolean(),
    notifications: z.array(legacyNotification),
    oldestReceived: instant.optional()
  }),
  description:
    'Has the format of existing clients. New clients use `/inbox`, which has counters and cursors.',
  examples: [{ name: 'Before a time', query: { before: '2999-01-01T00:00:00Z', count: '10' }, status: 200 }],
  operationId: 'listInAppNotifications',
  query: legacyQuery,
  summary: 'List an inbox by date, for existing clients',
  tag: 'inbox'
}

export const legacyPatchDoc: Doc = {
  deprecated: true,
  answer: z.object({ success: z.boolean() }),
  body: legacyPatch,
  examples: [
    {
      body: { archived: null, trackingIds: [ID] },
      name: 'Move out of the archive',
      status: 200
    }
  ],
  operationId: 'updateInAppNotifications',
  summary: 'Mark notifications, for existing clients',
  tag: 'inbox'
}

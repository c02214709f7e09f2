// What the reference says about the inbox.

import { z } from 'zod'

import { anyObject, instant, trackingId } from '../http/common-schemas.ts'
import type { Doc } from '../http/route-doc.ts'
import { changesQuery, inboxPatch, pageQuery, vendorPatch, vendorQuery } from './schema.ts'

const marks = {
  actioned1: instant.optional(),
  actioned2: instant.optional(),
  archived: instant.optional(),
  clicked: instant.optional(),
  opened: instant.optional()
}
const replies = z.array(z.object({ date: instant, message: z.string() })).optional()

const notif = z.object({
  ...marks,
  body: z.string().optional(),
  date: instant,
  expDate: z.int().optional().meta({ description: 'Unix time in seconds after which it disappears.' }),
  id: trackingId,
  imageURL: z.string().optional(),
  parameters: anyObject.optional(),
  redirectURL: z.string().optional(),
  replies,
  rev: z.int().meta({ description: 'Version of the inbox that last changed it.' }),
  subNotificationId: z.string().optional(),
  title: z.string(),
  type: z.string()
})

const counts = z.object({
  unarchived: z.int().meta({ description: 'Not archived.' }),
  unopened: z.int().meta({ description: 'Neither opened nor archived.' })
})
const version = z.int().meta({ description: 'Grows with every change of the inbox.' })

const page = z.object({
  counts,
  items: z.array(notif),
  next: z.string().optional().meta({ description: 'Cursor of the next, older page; absent at the end.' }),
  version
})

const change = z.object({
  counts,
  items: z.array(notif),
  prev: version,
  removed: z.array(trackingId),
  version
})

const reset = z.object({ reset: z.literal(true), version })

const ID = '019a2f4e-6c1d-7a53-9d1e-1f0c5b7a4e21'
const EMPTY = { counts: { unarchived: 0, unopened: 0 }, version: 0 }

export const pageDoc: Doc = {
  answer: page,
  examples: [
    {
      answer: { ...EMPTY, items: [] },
      name: 'Nobody has written yet',
      params: { userId: 'new' },
      status: 200
    },
    { name: 'The newest ten', query: { count: '10' }, status: 200 },
    { name: 'A cursor of somebody’s own', query: { cursor: '?' }, status: 422 }
  ],
  operationId: 'readInbox',
  query: pageQuery,
  summary: 'List an inbox, newest first, with exact counters',
  tag: 'inbox'
}

export const changesDoc: Doc = {
  answer: z.union([change, reset]),
  description:
    'What happened after `since`, the `version` that the caller knows. `reset` says: too much, read the first page again.',
  examples: [{ name: 'Since the beginning', query: { since: '0' }, status: 200 }],
  operationId: 'readInboxChanges',
  query: changesQuery,
  summary: 'List what changed since a version',
  tag: 'inbox'
}

export const patchDoc: Doc = {
  answer: change,
  body: inboxPatch,
  description:
    'An absent mark stays, `null` clears it. Ids of other users are ignored. `ALL` means every notification up to `through`. Where more changed than one answer holds, `items` and `removed` are empty and `prev` is `version`: ask for the changes since the version you know.',
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
  summary: 'Mark notifications: opened, clicked, archived, actioned, answered',
  tag: 'inbox'
}

const vendorNotification = z.object({
  ...marks,
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
  title: z.string().meta({ description: 'HTML.' })
})

export const vendorListDoc: Doc = {
  answer: z.object({
    couldLoadMore: z.boolean(),
    hasMore: z.boolean(),
    notifications: z.array(vendorNotification),
    oldestReceived: instant.optional()
  }),
  description: 'In the shape of existing clients. New ones read `/inbox`, which has counters and cursors.',
  examples: [
    {
      name: 'What came before an instant',
      query: { before: '2999-01-01T00:00:00Z', count: '10' },
      status: 200
    }
  ],
  operationId: 'listInAppNotifications',
  query: vendorQuery,
  summary: 'List an inbox by date, for existing clients',
  tag: 'inbox'
}

export const vendorPatchDoc: Doc = {
  answer: z.object({ success: z.boolean() }),
  body: vendorPatch,
  examples: [
    {
      answer: { success: true },
      body: { archived: null, trackingIds: [ID] },
      name: 'Back from the archive',
      status: 200
    }
  ],
  operationId: 'updateInAppNotifications',
  summary: 'Mark notifications, for existing clients',
  tag: 'inbox'
}

// Schemas of the inbox routes: queries of pages and changes, and bodies that change the read state.

import { z } from 'zod'

import { parseInstant } from '../core/instant.ts'
import { cursorSchema } from '../http/cursor.ts'
import { MAX_ALL_TYPES } from './all-writes.ts'
import { VIEWS } from './views.sql.ts'

const MAX_PAGE_SIZE = 1000
/** In an address, which proxies cut at 8 kB. More types have a tag. */
const MAX_QUERY_NAMES = 50

const parseSeq = (seq: string): number | undefined =>
  /^\d{1,16}$/.test(seq) && Number.isSafeInteger(Number(seq)) ? Number(seq) : undefined

const seqCursor = cursorSchema(parseSeq)

const names = z.string().transform(text => text.split(',').filter(name => name !== ''))
const typeIds = names
  .refine(list => list.length <= MAX_QUERY_NAMES, `Expected at most ${MAX_QUERY_NAMES} types.`)
  .optional()
  .describe('Ids of notification types, separated by commas. Default: all.')

const tagNames = names
  .refine(list => list.length <= MAX_QUERY_NAMES, `Expected at most ${MAX_QUERY_NAMES} tags.`)
  .optional()
  .describe('Tags of types, separated by commas: also the types that have one of them.')

export const countsQuery = z.object({ tags: tagNames, types: typeIds })

export const pageQuery = z.object({
  tags: tagNames,
  types: typeIds,
  view: z
    .enum(VIEWS)
    .optional()
    .describe('`inbox`: neither archived nor snoozed. `snoozed`: the soonest first. Default: all.'),
  count: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).default(50),
  cursor: seqCursor.optional()
})

/** Shorter than the 30 s after which many proxies give up on an answer. */
export const MAX_WAIT_SECONDS = 25

export const changesQuery = z.object({
  since: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
  wait: z.coerce
    .number()
    .min(0)
    .max(MAX_WAIT_SECONDS)
    .default(0)
    .describe('How many seconds the answer may wait for a change.')
})

const instant = z.string().transform((text, context) => {
  const ms = parseInstant(text)
  if (ms !== undefined) return new Date(ms).toISOString()
  context.addIssue({ code: 'custom', message: 'Expected an instant such as 2026-11-20T04:34:37.557Z.' })
  return z.NEVER
})

export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * More ids than a body of the default size (`NOTIF_BODY_MAX_BYTES`) can contain, and the limit for larger bodies. The API reference
 * states it.
 */
const MAX_IDS = 20_000

/** Reports only the first value of a wrong type. `nonoptional`, because zod treats a schema with `preprocess` as optional. */
const texts = z.nonoptional(
  z.preprocess((value, context) => {
    const isCheckable = Array.isArray(value) && value.length <= MAX_IDS
    const wrongIndex = isCheckable ? value.findIndex(id => typeof id !== 'string') : -1
    if (wrongIndex < 0) return value
    context.addIssue({ code: 'custom', message: 'Expected a string.', path: [wrongIndex] })
    return z.NEVER
  }, z.array(z.string()).max(MAX_IDS))
)

/** Values that are not uuids are ignored, like unknown ids. */
const ids = texts.transform(values => [
  ...new Set(values.filter(id => UUID.test(id)).map(id => id.toLowerCase()))
])

const mark = instant.nullable().optional()
const marks = {
  actioned1: mark.describe('When the first button was pressed.'),
  actioned2: mark.describe('When the second button was pressed.'),
  archived: mark.describe('When the notification was archived; `null` moves it back to the inbox.'),
  clicked: mark.describe('When the notification was clicked.'),
  opened: mark.describe('When the notification was read; `null` marks it as unread. It is then also seen.'),
  seen: mark.describe('When the notification was in sight.'),
  reply: z
    .object({
      date: instant.describe('When the user replied.'),
      message: z.string().max(10_000).describe('Text of the reply.')
    })
    .nullish()
    .describe('A reply, added to earlier ones.')
}

export const inboxPatch = z.object({
  trackingIds: z.union([z.literal('ALL'), ids]).describe('Tracking ids of the notifications, or `ALL`.'),
  through: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe('With `ALL`: inbox version that the user saw. Later notifications do not change.'),
  at: instant
    .optional()
    .describe(
      'When the user acted. An earlier write than the last one to a mark of a notification is ignored. Default: now.'
    ),
  from: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe('With `ALL`: inbox version. Earlier notifications do not change.'),
  undo: cursorSchema(parseSeq)
    .optional()
    .describe(
      'With `ALL` and no marks: `undo` of an earlier answer. Takes that action back where nobody wrote since.'
    ),
  snoozedUntil: instant
    .nullable()
    .optional()
    .describe('Takes the notifications out of the inbox until then; `null` brings them back.'),
  types: z
    .array(z.string())
    .min(1)
    .max(MAX_ALL_TYPES)
    .optional()
    .describe('With `ALL`: ids of notification types. Others do not change.'),
  ...marks
})

/** Body of the PATCH of legacy clients. */
export const legacyPatch = z.object({
  trackingIds: ids.describe('Tracking ids of the notifications.'),
  ...marks
})

export const legacyQuery = z.object({
  before: z
    .string()
    .optional()
    .transform((text, context) => {
      if (text === undefined || text === '') return undefined
      const ms = parseInstant(text)
      if (ms !== undefined) return ms
      context.addIssue({ code: 'custom', message: 'Expected an instant, or milliseconds since 1970.' })
      return z.NEVER
    }),
  count: z
    .string()
    .optional()
    .transform((text, context) => {
      if (text === undefined || text === '') return clampCount(Number.NaN)
      const count = Number(text)
      if (!Number.isNaN(count)) return clampCount(count)
      context.addIssue({ code: 'custom', message: 'Expected a number.' })
      return z.NEVER
    })
})

/** Legacy clients send any number and expect an answer. */
export const clampCount = (count: number): number =>
  Number.isNaN(count) ? 100 : Math.max(1, Math.min(MAX_PAGE_SIZE, Math.floor(count)))

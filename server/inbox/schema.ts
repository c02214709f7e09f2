// What callers may ask of an inbox: queries of pages and changes, and marks.

import { z } from 'zod'

import { parseInstant } from '../core/instant.ts'
import { cursorOf } from '../http/cursor.ts'

/** Most items of one page. */
const PAGE_LIMIT = 1000

const place = cursorOf(seq =>
  /^\d{1,16}$/.test(seq) && Number.isSafeInteger(Number(seq)) ? Number(seq) : undefined
)

export const pageQuery = z.object({
  count: z.coerce.number().int().min(1).max(PAGE_LIMIT).default(50),
  cursor: place.optional()
})

export const changesQuery = z.object({ since: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER) })

const instant = z.string().transform((text, context) => {
  const ms = parseInstant(text)
  if (ms !== undefined) return new Date(ms).toISOString()
  context.addIssue({ code: 'custom', message: 'Expected an instant such as 2026-11-20T04:34:37.557Z.' })
  return z.NEVER
})

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * More than a body of the default size can hold (`NOTIF_BODY_LIMIT`, which is the setting), and the most in a larger one: a
 * wrong one costs more to tell than to read. The reference tells it, so clients may count on it everywhere.
 */
const IDS = 20_000

/** The first that is none is told, and not each. Required: zod takes what stands before a schema for able to make it up. */
const texts = z.nonoptional(
  z.preprocess((given, context) => {
    const isRead = Array.isArray(given) && given.length <= IDS
    const wrong = isRead ? given.findIndex(id => typeof id !== 'string') : -1
    if (wrong < 0) return given
    context.addIssue({ code: 'custom', message: 'Expected a string.', path: [wrong] })
    return z.NEVER
  }, z.array(z.string()).max(IDS))
)

/** What is no uuid is no notification's id; such ids are ignored like those of others. */
const ids = texts.transform(all => [...new Set(all.filter(id => UUID.test(id)).map(id => id.toLowerCase()))])

const mark = instant.nullable().optional()
const marks = {
  actioned1: mark.describe('When its first button was pressed.'),
  actioned2: mark.describe('When its second button was pressed.'),
  archived: mark.describe('When it was archived; `null`: it is back in the inbox.'),
  clicked: mark.describe('When it was activated.'),
  opened: mark.describe('When it was seen; `null`: unread again.'),
  reply: z
    .object({
      date: instant.describe('When it was answered.'),
      message: z.string().max(10_000).describe('In the words of the user.')
    })
    .nullish()
    .describe('An answer, added to earlier ones.')
}

/** Body of our own PATCH. */
export const inboxPatch = z.object({
  trackingIds: z.union([z.literal('ALL'), ids]).describe('Of which notifications; `ALL`: of all.'),
  through: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe('With `ALL`: version of the inbox that the user saw. What came later stays as it is.'),
  ...marks
})

/** Body of the PATCH of existing clients. */
export const vendorPatch = z.object({ trackingIds: ids.describe('Of which notifications.'), ...marks })

export const vendorQuery = z.object({
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

/** Existing clients ask for what they like and expect some answer. */
export const clampCount = (count: number): number =>
  Number.isNaN(count) ? 100 : Math.max(1, Math.min(PAGE_LIMIT, Math.floor(count)))

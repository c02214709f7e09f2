// What callers may ask of schedules: the query of a page, and the place of a page as a text that is only handed back.

import { z } from 'zod'

import { isTrackingId } from '../id.ts'
import { userId } from '../person/contact.ts'
import type { StoredSchedule } from './store.ts'

type Place = Pick<StoredSchedule, 'due' | 'id'>

/** Most schedules of one page. */
const PAGE_LIMIT = 1000
/** First character names the form, so that another one can come later. */
const FORM = /^1\.(\d{1,16})\.(\S{36})$/

export const toPlace = ({ due, id }: Place): string => Buffer.from(`1.${due}.${id}`).toString('base64url')

const place = z.string().transform((text, context): Place => {
  const [, due, id] = FORM.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? []
  if (id !== undefined && isTrackingId(id) && Number.isSafeInteger(Number(due)))
    return { due: Number(due), id }
  context.addIssue({ code: 'custom', message: 'Expected the value of `next` of an earlier page.' })
  return z.NEVER
})

/**
 * - `count`: schedules of one page, 1 to 1000, default 50
 * - `cursor`: `next` of the page before
 * - `userId`, `type` (or `notificationId`): only those
 */
export const schedulesQuery = z.object({
  count: z.coerce.number().int().min(1).max(PAGE_LIMIT).default(50),
  cursor: place.optional(),
  notificationId: z.string().optional(),
  type: z.string().optional(),
  userId: userId.optional()
})

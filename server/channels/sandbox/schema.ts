// What callers may ask of the sandbox: lists, pages and the parts of a page.

import { z } from 'zod'

import { CHANNELS } from '#protocol'

import { isTrackingId } from '../../core/id.ts'
import { VIEWS } from './forms.ts'

const id = z.string().refine(isTrackingId, 'Expected an id.')

/** Messages of one page. */
export const PAGE = 50

export const listQuery = z.object({
  user: z.string().max(510).optional(),
  channel: z.enum(CHANNELS).optional(),
  trackingId: id.optional(),
  count: z.coerce.number().int().min(1).max(200).default(PAGE),
  cursor: id.optional()
})

export const pageQuery = z.object({
  env: z.string().max(255).optional(),
  user: z.string().max(510).default(''),
  m: id.optional(),
  before: id.optional(),
  view: z.enum(VIEWS).default('html'),
  images: z.literal('1').optional()
})

export const partQuery = z.object({ env: z.string().max(255).optional(), images: z.literal('1').optional() })

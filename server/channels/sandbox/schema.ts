// Query parameters of the sandbox.

import { z } from 'zod'

import { CHANNELS } from '#protocol'

import { isTrackingId } from '../../core/id.ts'
import { VIEWS } from './message-views.ts'

const id = z.string().refine(isTrackingId, 'Expected an id.')

export const PAGE_SIZE = 50

export const listQuery = z.object({
  user: z.string().max(510).optional(),
  channel: z.enum(CHANNELS).optional(),
  trackingId: id.optional(),
  count: z.coerce.number().int().min(1).max(200).default(PAGE_SIZE),
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

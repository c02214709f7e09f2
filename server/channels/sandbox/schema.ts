// Query parameters of the sandbox, and its API reference.

import { z } from 'zod'

import { CHANNELS } from '#protocol'

import { isTrackingId } from '../../core/id.ts'
import { instant } from '../../http/common-schemas.ts'
import type { Doc } from '../../http/route-doc.ts'
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

const message = z.looseObject({
  channel: z.enum(CHANNELS),
  date: instant,
  id: z.string(),
  trackingId: z.string(),
  type: z.string(),
  userId: z.string()
})

export const messagesDoc: Doc = {
  answer: z.object({ messages: z.array(message), next: z.string().optional() }),
  description:
    'Newest first. Each message also has the fields of its channel. A page has fewer than `count` messages if they are large.',
  examples: [
    { name: 'Newest five emails', query: { channel: 'EMAIL', count: '5' }, status: 200 },
    {
      name: 'User without messages',
      query: { user: 'new' },
      status: 200
    }
  ],
  operationId: 'listSandboxMessages',
  query: listQuery,
  summary: 'List the messages that the sandbox stored instead of sending',
  tag: 'sandbox'
}

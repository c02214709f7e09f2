// The API reference of promotions.

import { z } from 'zod'

import type { Doc } from '../../http/route-doc.ts'
import { whole } from '../doc.ts'
import { promotionBody, promotionQuery } from './schema.ts'

const diff = {
  added: z.int().meta({ description: 'Lines.' }),
  removed: z.int(),
  diff: z.string().meta({ description: 'Unified diff from the target to the source.' })
}

export const previewDoc: Doc = {
  answer: z.object({
    from: z.object({ clientId: z.string(), version: z.int() }),
    to: z.object({
      clientId: z.string(),
      version: z.int().nullable().meta({ description: 'Null: the target has no such type.' }),
      managedBy: z.literal('files').optional()
    }),
    targetEtag: z
      .string()
      .nullable()
      .meta({ description: '`If-Match` of the promotion. Null: use `If-None-Match: *`.' }),
    ...diff,
    partials: z.array(
      z.object({
        kind: z.enum(['layouts', 'partials']),
        id: z.string(),
        state: z.enum(['new', 'changed', 'same']),
        usedBy: z.array(z.string()).meta({ description: 'Other types of the target, if it would change.' }),
        ...diff
      })
    )
  }),
  description: 'Changes nothing. Layouts and partials are those that the templates of the type use.',
  examples: [
    { name: 'Unknown target', query: { to: 'nothing', type: 'comment' }, status: 404 },
    { name: 'To itself', query: { to: 'client_1', type: 'comment' }, status: 422 },
    { name: 'To production', query: { to: 'client_2', type: 'comment' }, status: 200 }
  ],
  operationId: 'previewPromotion',
  query: promotionQuery,
  summary: 'Compare a type with the same type of another environment',
  tag: 'environments'
}

export const promoteDoc: Doc = {
  answer: whole,
  body: promotionBody,
  conditional: true,
  description:
    'Publishes the published version of the source in the target, with the layouts and partials that it uses. Other types of the target do not change: 409 if one of them uses a layout or partial that would change, and if the target is managed by files. 422: a template has a fault in the target.',
  examples: [
    { body: { to: 'client_2', type: 'comment' }, name: 'To production', status: 200 },
    { body: { to: 'client_2', type: 'comment', version: 999 }, name: 'Source has changed', status: 409 },
    { body: { to: 'client_2', type: 'nothing' }, name: 'Unknown type', status: 404 },
    { body: { type: 'comment' }, name: 'No target', status: 422 }
  ],
  operationId: 'promoteType',
  summary: 'Promote a type to another environment',
  tag: 'environments'
}

// The API reference of API keys.

import { z } from 'zod'

import { instant, next } from '../../http/common-schemas.ts'
import { unknownId, type Doc } from '../../http/route-doc.ts'
import { SCOPES } from '../../http/scopes.ts'
import { createKeyBody, keysQuery } from './schema.ts'

const apiKey = z.object({
  id: z.uuid(),
  name: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  start: z.string().meta({ description: 'First characters of the key.', examples: ['nk_3fA9x'] }),
  createdAt: instant,
  createdBy: z.string().meta({ description: 'Actor of the audit log.' }),
  expiresAt: instant.optional(),
  revokedAt: instant.optional(),
  lastUsedAt: instant.optional().meta({ description: 'At most a minute late; absent: never used.' })
})

export const createKeyDoc: Doc = {
  answer: apiKey.extend({
    key: z.string().optional().meta({
      description:
        'The key. Only this answer contains it, and a repeated one with the same Idempotency-Key does not.'
    })
  }),
  body: createKeyBody,
  description:
    'Requests send the key as a bearer token, or in Basic credentials in place of the client secret. A call outside of the scopes is refused with 403. The server stores only a hash of the key.',
  examples: [
    { body: { name: 'Billing service', scopes: ['send'] }, name: 'A key that only sends', status: 201 },
    { body: { name: 'Billing service', scopes: ['write'] }, name: 'Unknown scope', status: 422 }
  ],
  operationId: 'createApiKey',
  problems: [404, 409],
  summary: 'Create an API key',
  tag: 'environments'
}

export const listKeysDoc: Doc = {
  answer: z.object({ keys: z.array(apiKey), next }),
  description: 'Oldest first, with revoked and expired keys.',
  examples: [{ name: 'First page', query: { count: '10' }, status: 200 }],
  operationId: 'listApiKeys',
  problems: [404],
  query: keysQuery,
  summary: 'List the API keys of an environment',
  tag: 'environments'
}

export const revokeKeyDoc: Doc = {
  description:
    'The node that answers refuses the key from now on, the others within 10 seconds. Cannot be undone.',
  examples: [{ name: 'Revoke', status: 204 }, unknownId('keyId')],
  operationId: 'revokeApiKey',
  summary: 'Revoke an API key',
  tag: 'environments'
}

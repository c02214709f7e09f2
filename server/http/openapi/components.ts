// What operations of the OpenAPI document share: credentials, headers and the format of problems.

import { TITLES } from '../problem.ts'

export const SECURITY = {
  admin: {
    description: 'The admin token. Routes of an environment treat its calls as those of the back end.',
    scheme: 'bearer',
    type: 'http'
  },
  apiKey: {
    description:
      'An API key with one of the scopes that the operation lists. Basic credentials may have it in place of the secret.',
    scheme: 'bearer',
    type: 'http'
  },
  backEnd: { description: '`clientId:clientSecret`', scheme: 'basic', type: 'http' },
  session: {
    description:
      'The cookie of a member with one of the roles that the operation lists; behind https, its name is `__Host-notif_session`.',
    in: 'cookie',
    name: 'notif_session',
    type: 'apiKey'
  },
  user: {
    description: '`clientId:userId:userHash`; the hash is optional if secure mode is off.',
    scheme: 'basic',
    type: 'http'
  }
}

export const HEADERS = {
  RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer' } },
  XRequestId: { description: 'Id of this request in the log.', schema: { type: 'string' } }
}

/** The only refusal of routes that anyone may call. It comes from Node's HTTP server and has no body. */
export const HEADERS_TOO_LARGE = { description: 'The headers have more than 16 KiB.' }

export const PROBLEM = {
  properties: {
    detail: { description: 'The error of this request.', type: 'string' },
    errors: {
      items: {
        properties: {
          column: { type: 'integer' },
          detail: { type: 'string' },
          line: { description: 'Place of a fault in the text of a template, from 1.', type: 'integer' },
          pointer: { description: 'JSON pointer to the field, as a URI fragment.', type: 'string' }
        },
        required: ['pointer', 'detail'],
        type: 'object'
      },
      type: 'array'
    },
    instance: { type: 'string' },
    message: { deprecated: true, description: '`detail` for existing clients.', type: 'string' },
    messages: { items: { type: 'string' }, type: 'array' },
    status: { enum: [...new Set(Object.values(TITLES).map(([status]) => status))], type: 'integer' },
    title: { type: 'string' },
    type: { description: 'Address of a page that says what to do.', format: 'uri-reference', type: 'string' }
  },
  required: ['type', 'title', 'status', 'detail', 'instance', 'message', 'messages'],
  type: 'object'
}

export const IDEMPOTENCY_KEY = {
  description: 'Requests with the same key are executed once, and get the same answer.',
  in: 'header',
  name: 'Idempotency-Key',
  schema: { maxLength: 255, minLength: 1, pattern: '^[\\x20-\\x7e]+$', type: 'string' }
}

export const PRECONDITIONS = [
  {
    description:
      'ETag of the GET that the change is based on. If the resource has changed since, the answer is 412.',
    in: 'header',
    name: 'If-Match',
    schema: { type: 'string' }
  },
  {
    description: '`*` creates only. If the resource exists, the answer is 412.',
    in: 'header',
    name: 'If-None-Match',
    schema: { type: 'string' }
  }
]

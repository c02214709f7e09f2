// The API reference of members and their sessions.

import { z } from 'zod'

import { instant, next } from '../http/common-schemas.ts'
import { ROLES } from '../http/roles.ts'
import { unknownId, type Doc } from '../http/route-doc.ts'
import { memberPatch, membersQuery, signInBody } from './schema.ts'

const role = z.enum(ROLES).meta({
  description:
    '`viewer`: reads, without addresses. `support`: also reads addresses, changes users, resends and retracts. `editor`: also reads addresses and changes types and templates. `admin`: everything.'
})

const actor = z.string().meta({
  description: 'Name in the audit log.',
  examples: ['admin:5e884898', 'member:01937f6e-0000-7000-8000-000000000000']
})

const session = z.object({
  member: z.object({ actor, id: z.uuid(), name: z.string(), role }),
  csrfToken: z.string().meta({ description: 'Every write with the session sends it as `X-CSRF-Token`.' }),
  expiresAt: instant.meta({ description: 'The session ends then, or after an hour without a request.' }),
  environments: z
    .array(z.object({ clientId: z.string(), name: z.string().optional() }))
    .meta({ description: 'By client id, at most 200. `name`: the title of the environment.' })
})

export const signInOptionsDoc: Doc = {
  answer: z.object({
    adminToken: z.literal(true),
    oidc: z
      .object({ label: z.string().meta({ description: 'Host of the OpenID provider.' }) })
      .nullable()
      .meta({
        description: 'A browser opens `GET /operators/oidc/start?return=/admin`. Null: no provider is set.'
      })
  }),
  examples: [{ name: 'Ways to sign in', status: 200 }],
  operationId: 'getSignInOptions',
  summary: 'List the ways to sign in',
  tag: 'operators'
}

export const createSessionDoc: Doc = {
  answer: session,
  body: signInBody,
  description:
    'Sets the cookie of a new session; a session that the browser had before ends. Ten wrong tokens of one address in five minutes, or a thousand of all, are answered with 429.',
  examples: [
    { body: { adminToken: 'token-of-the-operator-77aa' }, name: 'Sign in', status: 200 },
    { body: { adminToken: 'wrong' }, name: 'Wrong token', status: 401 },
    { body: {}, name: 'No token', status: 422 }
  ],
  operationId: 'createSession',
  problems: [403, 429, 503],
  summary: 'Sign in with the admin token',
  tag: 'operators'
}

export const readSessionDoc: Doc = {
  answer: session,
  examples: [{ name: 'Signed in', status: 200 }],
  operationId: 'getSession',
  summary: 'Get the own session',
  tag: 'operators'
}

export const deleteOwnSessionDoc: Doc = {
  examples: [{ name: 'Sign out', status: 204 }],
  operationId: 'deleteSession',
  problems: [403],
  summary: 'Sign out',
  tag: 'operators'
}

export const listSessionsDoc: Doc = {
  answer: z.object({
    sessions: z.array(
      z.object({
        id: z.uuid(),
        address: z.string().meta({ description: 'IP address of the client that signed in.' }),
        browser: z.string().meta({ description: 'Its `User-Agent`.' }),
        createdAt: instant,
        lastUsedAt: instant.meta({ description: 'At most a minute late.' }),
        expiresAt: instant,
        current: z.boolean().meta({ description: 'The session of this request.' })
      })
    )
  }),
  description: 'The newest first, at most 200.',
  examples: [{ name: 'Own sessions', status: 200 }],
  operationId: 'listSessions',
  summary: 'List the own sessions',
  tag: 'operators'
}

export const deleteSessionsDoc: Doc = {
  description: 'Also ends the session of this request.',
  examples: [{ name: 'Sign out everywhere', status: 204 }],
  operationId: 'deleteSessions',
  problems: [403],
  summary: 'Sign out everywhere',
  tag: 'operators'
}

export const deleteSessionDoc: Doc = {
  description:
    'An own session, or for an admin that of any member. The node that answers refuses it from now on, the others within 10 seconds.',
  examples: [{ name: 'End', status: 204 }, unknownId('sessionId')],
  operationId: 'endSession',
  problems: [403],
  summary: 'End a session',
  tag: 'operators'
}

const member = z.object({
  actor,
  id: z.uuid(),
  name: z.string(),
  email: z.string().optional(),
  role,
  signInBy: z.enum(['adminToken', 'oidc']),
  createdAt: instant.meta({ description: 'First sign-in.' }),
  lastSeenAt: instant.meta({ description: 'At most a minute late.' }),
  blockedAt: instant.optional(),
  blockedBy: z.string().optional().meta({ description: 'Actor of the audit log.' })
})

export const listMembersDoc: Doc = {
  answer: z.object({ members: z.array(member), next }),
  description: 'Everybody who signed in at least once. The latest first sign-in is first.',
  examples: [
    { name: 'First page', query: { count: '10' }, status: 200 },
    { name: 'No cursor', query: { cursor: 'x' }, status: 422 }
  ],
  operationId: 'listMembers',
  problems: [403],
  query: membersQuery,
  summary: 'List members',
  tag: 'operators'
}

export const updateMemberDoc: Doc = {
  answer: member,
  body: memberPatch,
  description: 'The admin token cannot be blocked, and no member can block themselves.',
  examples: [
    { body: { blocked: true }, name: 'Block', status: 200 },
    { ...unknownId('memberId'), body: { blocked: true } },
    { body: { blocked: 'yes' }, name: 'Not a boolean', status: 422 }
  ],
  operationId: 'updateMember',
  problems: [403, 409],
  summary: 'Block a member, or allow them to sign in again',
  tag: 'operators'
}

export const signOutMemberDoc: Doc = {
  description: 'The node that answers refuses the sessions from now on, the others within 10 seconds.',
  examples: [{ name: 'Sign out', status: 204 }, unknownId('memberId')],
  operationId: 'signOutMember',
  problems: [403],
  summary: 'End all sessions of a member',
  tag: 'operators'
}

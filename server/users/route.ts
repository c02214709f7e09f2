// Routes about one user: identify, read, and what a front end needs to know about its account.

import type { Query } from '../db/db.ts'
import { retried } from '../db/transact.ts'
import type { Encryption } from '../environments/encryption/encryption.ts'
import { isBackEnd } from '../http/auth.ts'
import { toCursor } from '../http/cursor.ts'
import { claimOf, once } from '../http/idempotency.ts'
import { parseInput, parseQuery, withoutEmptyMaps, wrongFields } from '../http/parse-input.ts'
import { Problem } from '../http/problem.ts'
import { route, type Answer, type Route } from '../http/route.ts'
import type { Context } from '../process/context.ts'
import { accountDoc, identifyDoc, listDoc, readDoc } from './doc.ts'
import { identifyUser, saysDevices } from './identify.sql.ts'
import { byPlace, listUsers, type Listed } from './list-users.sql.ts'
import { identity, usersQuery } from './schema.ts'
import { connectionOf } from './slack-connection.ts'
import { keyOf } from './user-key.ts'
import { readUser } from './users.sql.ts'

export interface UserOptions {
  readonly encryption: Encryption
  /** Public VAPID key: uncompressed P-256 point in base64url; `''` where there is none. */
  readonly vapidPublicKey: string
}

const headOf = ({ userId, email, number, timezone, locale, createdAt, updatedAt, seenAt }: Listed) => ({
  id: userId,
  ...(email !== null && { email }),
  ...(number !== null && { number }),
  ...(timezone !== null && { timezone }),
  ...(locale !== null && { locale }),
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
  ...(seenAt && { lastSeenTime: seenAt.toISOString() })
})

/** Devices of a user; those seen last are kept. */
export const MAX_DEVICES = 200

/** Properties of a user: templates of every send can read them. */
const MAX_PROPERTIES = 25

const tooManyProperties = (limit: number): Problem =>
  wrongFields([{ detail: `A user may have at most ${limit} properties.`, pointer: '#/properties' }])

export const userRoutes = (
  context: Pick<Context, 'config' | 'db'>,
  { encryption, vapidPublicKey }: UserOptions
): Route[] => [
  route('GET', '/:clientId/users', 'back-end', listDoc, async ({ env, query }) => {
    const { count, cursor } = parseQuery(usersQuery, query)
    const page = { envId: env.id, limit: count + 1, ...(cursor && { after: cursor }) }
    const found = (await Promise.all(context.db.groups.map(group => listUsers(group, page)))).flat()
    const users = found.toSorted(byPlace).slice(0, count)
    const last = found.length > count && users.at(-1)!
    const next = last && { next: toCursor(last.bucket, last.userId) }
    return { body: { users: users.map(headOf), ...next }, status: 200 }
  }),

  route('POST', '/:clientId/users/:userId', 'user', identifyDoc, async call => {
    // Older clients identify with an empty body.
    const said = parseInput(identity, withoutEmptyMaps(call.body ?? {}, { properties: {} }))
    if (typeof said.id === 'string' && said.id !== call.userId) {
      const detail = 'Expected the user id of the address, or none.'
      throw new Problem('invalid-request', detail, { errors: [{ detail, pointer: '#/id' }] })
    }
    const user = keyOf(call)
    const slack = connectionOf(encryption, user, said.slackToken)
    const trusted = isBackEnd(call.headers.authorization, call.env.id, call.env)
    const terms = { limits: { devices: MAX_DEVICES, properties: MAX_PROPERTIES }, slack, trusted }
    const group = context.db.of(call.bucket)
    const identified = async (query: Query): Promise<Answer> => {
      const body = await identifyUser(query, user, said, terms)
      if (!body) throw tooManyProperties(MAX_PROPERTIES)
      return { body, status: 200 }
    }
    const claim = claimOf(call, call.userId, call.bucket)
    return claim || saysDevices(said) ? once(group, claim, identified) : retried(() => identified(group.sql))
  }),

  route('GET', '/:clientId/users/:userId', 'user', readDoc, async call => ({
    body: await readUser(context.db.of(call.bucket).sql, keyOf(call)),
    status: 200
  })),

  route('GET', '/:clientId/users/:userId/account_metadata', 'user', accountDoc, async ({ env }) => ({
    body: {
      userAccountMetadata: {
        environmentVapidPublicKey: vapidPublicKey,
        hasWebPushEnabled: vapidPublicKey !== '' && !env.settings.disabledChannels.includes('WEB_PUSH'),
        logo: env.settings.logo
      }
    },
    status: 200
  }))
]

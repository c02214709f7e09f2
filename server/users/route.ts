// Routes about one user: identify, read, and what a front end needs to know about its account.

import { claimOf, once } from '../http/idempotency.ts'
import { parseInput } from '../http/input.ts'
import { Problem } from '../http/problem.ts'
import { route, type Route, type UserCall } from '../http/route.ts'
import type { Kit } from '../kit.ts'
import { accountDoc, identifyDoc, readDoc } from './doc.ts'
import { identity } from './schema.ts'
import { identifyUser, readUser, type UserKey } from './store.ts'

export interface UserOptions {
  /** Public VAPID key: uncompressed P-256 point in base64url; `''` where there is none. */
  readonly vapidPublicKey: string
}

const keyOf = ({ bucket, env, userId }: UserCall): UserKey => ({ bucket, envId: env.id, userId })

export const userRoutes = (kit: Pick<Kit, 'db'>, { vapidPublicKey }: UserOptions): Route[] => [
  route('POST', '/:clientId/users/:userId', 'user', identifyDoc, async call => {
    // Older clients identify with an empty body.
    const said = parseInput(identity, call.body ?? {})
    if (typeof said.id === 'string' && said.id !== call.userId) {
      const detail = 'Expected the user id of the address, or none.'
      throw new Problem('invalid-request', detail, { errors: [{ detail, pointer: '#/id' }] })
    }
    const user = keyOf(call)
    return once(kit.db.of(call.bucket), claimOf(call, call.userId, call.bucket), async tx => {
      await identifyUser(tx, user, said)
      return { body: await readUser(tx, user), status: 200 }
    })
  }),

  route('GET', '/:clientId/users/:userId', 'user', readDoc, async call => ({
    body: await readUser(kit.db.of(call.bucket).sql, keyOf(call)),
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

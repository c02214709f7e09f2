// Users over HTTP: list and search, identify, read, and the account metadata for front ends.

import type { UserKey } from '../core/id.ts'
import type { Query } from '../db/db.ts'
import { retryOnConflict } from '../db/transact.ts'
import type { Encryption } from '../environments/encryption/encryption.ts'
import { idempotencyKeyOf, runOnce } from '../http/idempotency.ts'
import { parseInput, parseQuery, withoutEmptyMaps, invalidFields } from '../http/parse-input.ts'
import { Problem } from '../http/problem.ts'
import { route, ok, type Answer, type BackEndCall, type Route } from '../http/route.ts'
import type { Context } from '../process/context.ts'
import { withoutContactDetails } from './contact-details.ts'
import { accountDoc, identifyDoc, listDoc, patchDoc, readDoc } from './doc.ts'
import { identifyUser, hasDevices, type IdentifyOptions } from './identify.sql.ts'
import { isPushService } from './push-services.ts'
import { identity, toUserCursor, usersQuery, type Identity } from './schema.ts'
import { toSlackConnection } from './slack-connection.ts'
import { parseUserKey, userKeyOfCall } from './user-key.ts'
import { compareUsers, isListedBefore, readUserPage, type ListedUser } from './user-pages.sql.ts'
import { readUser } from './users.sql.ts'

export interface UserOptions {
  readonly encryption: Encryption
  /** Public VAPID key: uncompressed P-256 point in base64url; `''` if web push is off. */
  readonly vapidPublicKey: string
}

const toListEntry = ({
  userId,
  email,
  number,
  timezone,
  locale,
  createdAt,
  updatedAt,
  seenAt
}: ListedUser) => ({
  id: userId,
  ...(email !== null && { email }),
  ...(number !== null && { number }),
  ...(timezone !== null && { timezone }),
  ...(locale !== null && { locale }),
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
  ...(seenAt && { lastSeenTime: seenAt.toISOString() })
})

/** Of a user; the most recently seen devices are kept. */
export const MAX_DEVICES = 200

/** Of a user; every send reads them. */
const MAX_PROPERTIES = 25

const tooManyProperties = (): Problem =>
  invalidFields([
    {
      detail: `Expected at most ${MAX_PROPERTIES} properties of a user, stored ones included.`,
      pointer: '#/properties'
    }
  ])

/** @throws Problem for a subscription at a host that is no push service */
function assertPushServices({ webPushTokens }: Identity, moreHosts: readonly string[]): void {
  const wrong = (webPushTokens ?? []).flatMap(({ sub }, index) =>
    isPushService(sub.endpoint, moreHosts)
      ? []
      : {
          detail: `Expected an address of a push service. ${new URL(sub.endpoint).hostname} is none that is known: the operator can add it to NOTIF_WEB_PUSH_HOSTS.`,
          pointer: `#/webPushTokens/${index}/sub/endpoint`
        }
  )
  if (wrong.length > 0) throw invalidFields(wrong)
}

/** @throws Problem */
function parseIdentity({ config }: Pick<Context, 'config'>, body: unknown, userId: string): Identity {
  const given = parseInput(identity, withoutEmptyMaps(body, { properties: {} }))
  if (typeof given.id === 'string' && given.id !== userId) {
    const detail = 'Expected the user id of the path, or no id.'
    throw new Problem('invalid-request', detail, { errors: [{ detail, pointer: '#/id' }] })
  }
  assertPushServices(given, config.webPushHosts)
  return given
}

async function identify(
  { db }: Pick<Context, 'db'>,
  encryption: Encryption,
  call: BackEndCall,
  user: UserKey,
  given: Identity,
  how: Pick<IdentifyOptions, 'isBackEnd' | 'isVisit'>
): Promise<Answer> {
  const group = db.of(user.bucket)
  const slack = toSlackConnection(encryption, user, given.slackToken)
  const options = { ...how, limits: { devices: MAX_DEVICES, properties: MAX_PROPERTIES }, slack }
  const identified = async (query: Query): Promise<Answer> => {
    const body = await identifyUser(query, user, given, options)
    if (!body) throw tooManyProperties()
    return ok(body)
  }
  const claim = idempotencyKeyOf(call, user.userId, user.bucket)
  return claim || hasDevices(given)
    ? runOnce(group, claim, identified)
    : retryOnConflict(() => identified(group.sql))
}

export const userRoutes = (
  context: Pick<Context, 'config' | 'db'>,
  { encryption, vapidPublicKey }: UserOptions
): Route[] => [
  route('GET', '/:clientId/users', 'back-end', listDoc, async ({ env, query }) => {
    const { count, cursor: after, q: text = '' } = parseQuery(usersQuery, query)
    const page = { after, envId: env.id, limit: count + 1, text }
    const pages = await Promise.all(context.db.groups.map(group => readUserPage(group, page)))
    const all = pages.flat().toSorted(compareUsers)
    const found = all.slice(0, count)
    const last = all.length > count && found.at(-1)!
    const next = last && { next: toUserCursor(last) }
    return ok({ users: found.filter(user => !isListedBefore(user, text)).map(toListEntry), ...next })
  }),

  route('POST', '/:clientId/users/:userId', 'user', identifyDoc, async call => {
    // Older clients identify with an empty body.
    const given = parseIdentity(context, call.body ?? {}, call.userId)
    const user = userKeyOfCall(call)
    const isFromBackEnd = call.credential === undefined
    const identityInput =
      call.env.settings.contactsFromBackEndOnly && !isFromBackEnd
        ? await withoutContactDetails(context.db.of(call.bucket).sql, user, given)
        : given
    return identify(context, encryption, call, user, identityInput, { isBackEnd: isFromBackEnd })
  }),

  route('PATCH', '/:clientId/users/:userId', 'back-end', patchDoc, async call => {
    const user = parseUserKey(call)
    const given = parseIdentity(context, call.body, user.userId)
    return identify(context, encryption, call, user, given, { isBackEnd: true, isVisit: false })
  }),

  route('GET', '/:clientId/users/:userId', 'user', readDoc, async call =>
    ok(await readUser(context.db.of(call.bucket).sql, userKeyOfCall(call)))
  ),

  route('GET', '/:clientId/users/:userId/account_metadata', 'user', accountDoc, async ({ env }) =>
    ok({
      userAccountMetadata: {
        environmentVapidPublicKey: vapidPublicKey,
        hasWebPushEnabled: vapidPublicKey !== '' && !env.settings.disabledChannels.includes('WEB_PUSH'),
        logo: env.settings.logo
      }
    })
  )
]

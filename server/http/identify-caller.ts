// Identifies the caller of a route by its credentials, and counts the request against the rate limits.

import type { BlockList } from 'node:net'

import type { Request } from 'express'

import type { Config } from '../config/config.ts'
import type { Environment } from '../config/environment-settings.ts'
import { bucketOf, isUserId, USER_ID_LIMIT, userKeyText } from '../core/id.ts'
import { checkScope, readKeyHash, type ApiKeys } from './api-key.ts'
import { adminActor } from './audit/audit.ts'
import { authenticateUser, isAdmin, isBackEnd } from './auth.ts'
import { addressKey, clientAddress } from './client-address.ts'
import { Problem } from './problem.ts'
import type { EnvironmentLimits, RateLimit } from './rate-limits.ts'
import type { AccessLevel, CallOf, Route } from './route.ts'

export interface AccessOptions {
  readonly limits: Pick<Config, 'bodyMaxBytes' | 'inlineFilesMaxBytes'>
  readonly adminTokenHash: Buffer | undefined
  readonly apiKeys: ApiKeys
  readonly trustedProxies: BlockList
  /** Limits by address. */
  readonly frontEnd: RateLimit
  /** Limits by environment and user, for users with a valid hash. */
  readonly users: RateLimit
  readonly backEnd: EnvironmentLimits
}

const unauthorized = (access: AccessLevel): Problem =>
  new Problem('unauthorized', DETAIL[access], {
    headers: {
      'www-authenticate':
        access === 'admin' ? 'Bearer realm="notif-kit"' : 'Basic realm="notif-kit", charset="UTF-8"'
    }
  })

const DETAIL: Readonly<Record<AccessLevel, string>> = {
  admin: 'Send the admin token as a bearer token.',
  anyone: 'The credentials are wrong.',
  'back-end':
    'Send Basic credentials with the client id of the address and its client secret, clientId:clientSecret, or an API key of this environment as a bearer token.',
  user: 'Send Basic credentials with the client id and user id of the address, and the user hash: clientId:userId:userHash.'
}

export type Caller = Partial<Pick<CallOf['user'], 'env' | 'userId' | 'bucket' | 'credential'>> & {
  readonly headers?: Readonly<Record<string, string>>
  /** The user, for limits beside the rates; undefined: the address counts. */
  readonly client?: string | undefined
  readonly operator?: string | undefined
}

/** What a call counts as, unless its route says otherwise. */
export const REQUEST = ['requests'] as const

/**
 * Returns the name of the operator who calls, for the audit log; undefined for other callers, and without the admin token.
 *
 * An alias is for front ends: its token names the environment, and the admin token names none.
 */
export const operatorOf = (
  { adminTokenHash }: Pick<AccessOptions, 'adminTokenHash'>,
  { access, aliasOf }: Pick<Route, 'access' | 'aliasOf'>,
  { headers }: Pick<Request, 'headers'>
): string | undefined =>
  access !== 'anyone' &&
  aliasOf === undefined &&
  adminTokenHash &&
  isAdmin(headers.authorization, adminTokenHash)
    ? adminActor(adminTokenHash)
    : undefined

/**
 * Authenticates the caller and counts the request against the rate limits. An operator acts as a back end of any environment, and
 * counts against no limit, so that the environment can use all of its own.
 *
 * @param operator - see {@link operatorOf}
 * @returns the environment and user, and headers with the remaining requests
 * @throws Problem `unauthorized`, `rate-limited`, `invalid-address`, or `not-found` for an operator
 */
export async function identifyCaller(
  options: AccessOptions,
  route: Pick<Route, 'access' | 'counts' | 'doc' | 'method' | 'path'>,
  request: Request,
  environment: Environment | undefined,
  operator: string | undefined
): Promise<Caller> {
  const { access, counts = REQUEST, path } = route
  const header = request.headers.authorization
  if (access === 'anyone') return {}
  const address = addressKey(clientAddress(request, options.trustedProxies))
  if (access === 'admin') {
    if (operator !== undefined) return { operator }
    await options.frontEnd.take(address)
    throw unauthorized(access)
  }
  const clientId = param(request, 'clientId')
  if (operator !== undefined && !environment) {
    throw new Problem('not-found', 'No environment has this client id.')
  }
  const isTrusted =
    operator !== undefined ||
    isBackEnd(header, clientId, environment) ||
    (await hasApiKey(options.apiKeys, header, environment, route))
  const count = async (env: Environment) => (operator === undefined ? options.backEnd.take(env, counts) : {})
  if (access === 'back-end') {
    if (isTrusted && environment) return { env: environment, headers: await count(environment), operator }
    // Wrong secrets count against the address, so that guessing is limited but other back ends of that address are not.
    await options.frontEnd.take(address)
    throw unauthorized(access)
  }
  const pathId = path.includes('/:userId') ? param(request, 'userId') : undefined
  // A back end acts for the user of the path.
  const actsForUser = isTrusted && environment
  const user = isTrusted ? undefined : authenticateUser(header, clientId, pathId, environment)
  const userId = actsForUser ? pathId : user?.userId
  // Many users may share an address (an office, or a back end that renders pages), so users with a valid hash have limits of their own.
  const headers = actsForUser
    ? await count(environment)
    : user?.proof
      ? await options.users.take(userKeyText({ envId: clientId, userId: user.userId }))
      : await options.frontEnd.take(address)
  if (userId === undefined || !environment) throw unauthorized(access)
  if (!isUserId(userId)) {
    throw new Problem('invalid-address', `A user id has 1 to ${USER_ID_LIMIT} characters.`)
  }
  const bucket = bucketOf(environment.id, userId)
  // Without a hash, a client could claim to be any number of users.
  const isProven = actsForUser || user?.proof
  const client = isProven ? userKeyText({ envId: environment.id, userId }) : undefined
  return { bucket, client, credential: user?.proof, env: environment, headers, operator, userId }
}

/**
 * Also looks for the key if there is no environment, so that the time taken does not tell which environments exist.
 *
 * @throws Problem `forbidden` if the header has a key of this environment without the scope of the route
 */
async function hasApiKey(
  apiKeys: ApiKeys,
  header: string | undefined,
  environment: Environment | undefined,
  route: Pick<Route, 'doc' | 'method'>
): Promise<boolean> {
  const keyHash = readKeyHash(header)
  const key = keyHash && (await apiKeys.find(keyHash))
  if (key === undefined || key.envId !== environment?.id) return false
  checkScope(key, route)
  return true
}

const param = (request: Request, name: string): string => String(request.params[name] ?? '')

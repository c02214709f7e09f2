// Identifies the caller of a route by its credentials, and counts the request against the rate limits.

import type { BlockList } from 'node:net'

import type { Request } from 'express'

import type { Config } from '../config/config.ts'
import type { Environment } from '../config/environment-settings.ts'
import { bucketOf, isUserId, USER_ID_LIMIT, userKeyText } from '../core/id.ts'
import { checkScope, readKeyHash, type ApiKey, type ApiKeys } from './api-key.ts'
import { authenticateUser, isBackEnd } from './auth.ts'
import { addressKey, clientAddress } from './client-address.ts'
import { checkRole, type Operator, type OperatorOptions } from './operator.ts'
import { Problem } from './problem.ts'
import type { EnvironmentLimits, RateLimit } from './rate-limits.ts'
import { seesAddresses } from './roles.ts'
import type { AccessLevel, CallOf, Route } from './route.ts'
import { unauthorized } from './unauthorized.ts'

export interface AccessOptions extends OperatorOptions {
  readonly limits: Pick<Config, 'bodyMaxBytes' | 'inlineFilesMaxBytes'>
  readonly apiKeys: ApiKeys
  readonly trustedProxies: BlockList
  /** Limits by address. */
  readonly frontEnd: RateLimit
  /** Limits by environment and user, for users with a valid hash. */
  readonly users: RateLimit
  /** Limits by session. */
  readonly members: RateLimit
  readonly backEnd: EnvironmentLimits
}

export type Caller = Partial<Pick<CallOf['user'], 'actor' | 'env' | 'userId' | 'bucket' | 'credential'>> & {
  readonly headers?: Readonly<Record<string, string>>
  /** The user, for limits beside the rates; undefined: the address counts. */
  readonly client?: string | undefined
  readonly operator?: Operator | undefined
  /** The caller may read sends, but no addresses. */
  readonly masksAddresses?: boolean
}

/** Actor of calls with the client secret. */
const SECRET_ACTOR = 'secret'

/** What a call counts as, unless its route says otherwise. */
export const REQUEST = ['requests'] as const

type CalledRoute = Pick<Route, 'access' | 'counts' | 'doc' | 'method' | 'path'>

/**
 * Authenticates the caller and counts the request against the rate limits. An operator acts as a back end of any environment. The admin
 * token counts against no limit and a session against its own, so that the environment can use all of its limits.
 *
 * @param operator - see `operatorOf`
 * @returns the environment and user, and headers with the remaining requests
 * @throws Problem `unauthorized`, `forbidden`, `rate-limited`, `invalid-address`, or `not-found` for an operator
 */
export async function identifyCaller(
  options: AccessOptions,
  route: CalledRoute,
  request: Request,
  environment: Environment | undefined,
  operator: Operator | undefined
): Promise<Caller> {
  const { access } = route
  if (access === 'anyone') return {}
  if (operator) return identifyOperator(options, route, request, environment, operator)
  const { counts = REQUEST, path } = route
  const header = request.headers.authorization
  const address = addressKey(clientAddress(request, options.trustedProxies))
  const refuse = async (): Promise<never> => {
    // Wrong secrets count against the address, so that guessing is limited but other back ends of that address are not.
    await options.frontEnd.take(address)
    throw unauthorized(access, request.headers)
  }
  if (access === 'admin' || access === 'member') return refuse()
  const clientId = param(request, 'clientId')
  const isOwner = isBackEnd(header, clientId, environment)
  const key = isOwner ? undefined : await findKey(options.apiKeys, header, environment, route)
  const isTrusted = isOwner || key !== undefined
  const actor = key ? `key:${key.name}` : SECRET_ACTOR
  const masksAddresses = key?.scopes.every(scope => scope === 'read') ?? false
  if (access === 'back-end') {
    if (!isTrusted || !environment) return refuse()
    const headers = await options.backEnd.take(environment, counts)
    return { actor, env: environment, headers, masksAddresses }
  }
  const pathId = userOfPath(path, request)
  if (isTrusted && environment) {
    const headers = await options.backEnd.take(environment, counts)
    return { ...actForUser({ access, environment, headers, masksAddresses, pathId, request }), actor }
  }
  const user = authenticateUser(header, clientId, pathId, environment)
  // Many users may share an address (an office, or a back end that renders pages), so users with a valid hash have limits of their own.
  const headers = user?.proof
    ? await options.users.take(userKeyText({ envId: clientId, userId: user.userId }))
    : await options.frontEnd.take(address)
  if (user === undefined || !environment) throw unauthorized(access, request.headers)
  const { userId } = user
  checkUserId(userId)
  // Without a hash, a client could claim to be any number of users.
  const client = user.proof ? userKeyText({ envId: environment.id, userId }) : undefined
  const bucket = bucketOf(environment.id, userId)
  return { bucket, client, credential: user.proof, env: environment, headers, userId }
}

async function identifyOperator(
  { members }: Pick<AccessOptions, 'members'>,
  route: CalledRoute,
  request: Request,
  environment: Environment | undefined,
  operator: Operator
): Promise<Caller> {
  const { access, path } = route
  const { role, session } = operator
  const headers = session ? await members.take(session.id) : {}
  if (access === 'member' && !session) throw unauthorized(access, request.headers)
  checkRole(operator, route)
  if (access === 'admin' || access === 'member') return { headers, operator }
  if (!environment) throw new Problem('not-found', 'No environment has this client id.')
  const masksAddresses = !seesAddresses(role)
  if (access === 'back-end') return { env: environment, headers, masksAddresses, operator }
  const pathId = userOfPath(path, request)
  return { ...actForUser({ access, environment, headers, masksAddresses, pathId, request }), operator }
}

/** A back end and an operator act for the user of the path. */
function actForUser({
  access,
  environment,
  pathId,
  request,
  ...rest
}: {
  readonly access: AccessLevel
  readonly environment: Environment
  readonly headers: Readonly<Record<string, string>>
  readonly masksAddresses: boolean
  readonly pathId: string | undefined
  readonly request: Request
}): Caller {
  if (pathId === undefined) throw unauthorized(access, request.headers)
  checkUserId(pathId)
  const { id: envId } = environment
  const client = userKeyText({ envId, userId: pathId })
  return { ...rest, bucket: bucketOf(envId, pathId), client, env: environment, userId: pathId }
}

function checkUserId(userId: string): void {
  if (isUserId(userId)) return
  throw new Problem('invalid-address', `A user id has 1 to ${USER_ID_LIMIT} characters.`)
}

/**
 * Also looks for the key if there is no environment, so that the time taken does not tell which environments exist.
 *
 * @throws Problem `forbidden` if the header has a key of this environment without the scope of the route
 */
async function findKey(
  apiKeys: ApiKeys,
  header: string | undefined,
  environment: Environment | undefined,
  route: Pick<Route, 'doc' | 'method'>
): Promise<ApiKey | undefined> {
  const keyHash = readKeyHash(header)
  const key = keyHash && (await apiKeys.find(keyHash))
  if (key === undefined || key.envId !== environment?.id) return undefined
  checkScope(key, route)
  return key
}

const param = (request: Request, name: string): string => String(request.params[name] ?? '')

const userOfPath = (path: string, request: Request): string | undefined =>
  path.includes('/:userId') ? param(request, 'userId') : undefined

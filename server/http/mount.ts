// Mounts routes on Express: environments, credentials, CORS, rate limits, and answers for unknown addresses.

import type { ErrorRequestHandler, Express, Request, RequestHandler, Response } from 'express'

import type { Config } from '../config/config.ts'
import type { Environment, Environments } from '../config/environment-settings.ts'
import { cidrList } from '../core/cidr.ts'
import type { Log } from '../core/log.ts'
import type { Siblings } from '../core/siblings.ts'
import { UnsentBytes } from '../core/unsent-bytes.ts'
import { isConnectionLost } from '../db/failure.ts'
import type { ApiKeys } from './api-key.ts'
import { auditRequest } from './audit/audit-request.ts'
import type { Audit } from './audit/audit.ts'
import { readClientId } from './auth.ts'
import { addressKey, clientAddress, warnUntrustedProxy } from './client-address.ts'
import { corsHeaders, preflightHeaders } from './cors.ts'
import { withEtag } from './etag.ts'
import { createRequestRunner, type ObservedRequest } from './handle-request.ts'
import { identifyCaller, type AccessOptions } from './identify-caller.ts'
import { refuseUnlistedOrigin } from './legacy-addresses.ts'
import { operatorOf } from './operator.ts'
import { pathPrefix } from './path-prefix.ts'
import { Problem } from './problem.ts'
import {
  createAddressLimit,
  createEnvironmentLimits,
  createRateLimit,
  type RateLimit
} from './rate-limits.ts'
import { buildCall, countRest } from './route-call.ts'
import type { Answer, Route } from './route.ts'
import type { Sessions } from './session.ts'
import { READER_TIMEOUT_MS, type Headers } from './write-response.ts'

export interface MountOptions {
  readonly config: Pick<
    Config,
    | 'bodyMaxBytes'
    | 'environmentRequestsPerSecond'
    | 'inlineFilesMaxBytes'
    | 'publicUrl'
    | 'requestsPerSecond'
    | 'trustedProxies'
  >
  readonly environments: Environments
  readonly apiKeys: ApiKeys
  readonly sessions: Sessions
  readonly log: Log
  readonly audit: Audit
  /** sha256 of the admin token; undefined: every operator is refused. */
  readonly adminTokenHash: Buffer | undefined
  /** Called after every request, for the metrics. */
  readonly observe?: (seen: ObservedRequest) => void
  /** See {@link READER_TIMEOUT_MS}, which is the default. */
  readonly readerTimeoutMs?: number
  /** Shared with the sockets, as {@link unsent}. Default: for requests alone. */
  readonly addressLimit?: RateLimit
  /** Count together with this process. Default: none. */
  readonly siblings?: Siblings | undefined
  readonly unsent?: UnsentBytes
}

/**
 * Mounts all routes, each with and without a trailing slash, then the answers for unknown addresses, unknown methods and errors.
 * Called last, because it answers every request that earlier handlers (files, pages) leave.
 */
export function mount(app: Express, routes: readonly Route[], options: MountOptions): void {
  const { apiKeys, audit, config, environments, log, adminTokenHash, observe, sessions, siblings } = options
  const { readerTimeoutMs = READER_TIMEOUT_MS, unsent = new UnsentBytes() } = options
  const { addressLimit = createAddressLimit(config.requestsPerSecond, siblings) } = options
  const trustedProxies = cidrList(config.trustedProxies)
  const accessOptions: AccessOptions = {
    adminTokenHash,
    apiKeys,
    backEnd: createEnvironmentLimits(config.environmentRequestsPerSecond, siblings),
    config,
    frontEnd: addressLimit,
    users: createRateLimit('requests', config.requestsPerSecond, 'this user', siblings),
    limits: config,
    members: createRateLimit('requests', config.requestsPerSecond, 'this session', siblings),
    sessions,
    trustedProxies
  }

  const clientOf = (request: Request): string => addressKey(clientAddress(request, trustedProxies))
  const run = createRequestRunner({
    clientOf,
    log,
    observe,
    prefix: pathPrefix(config.publicUrl),
    readerTimeoutMs,
    unsent
  })

  /** Counts wrong credentials that a route checks itself against their address. */
  const countRefusal = async (request: Request, error: unknown): Promise<never> => {
    if (error instanceof Problem && error.slug === 'unauthorized') await addressLimit.take(clientOf(request))
    throw error
  }

  app.disable('x-powered-by')
  app.set('etag', false)
  app.set('query parser', false)

  app.use(warnUntrustedProxy(config.trustedProxies, log))

  // A client whose base address ends with a slash requests `//client/sender`.
  app.use((request, _response, next) => {
    if (request.url.startsWith('//')) request.url = request.url.replace(/^\/+/, '/')
    next()
  })

  const environmentFor = (request: Request): Promise<Environment | undefined> | undefined => {
    const { clientId } = request.params
    return typeof clientId === 'string' ? environments.get(clientId) : undefined
  }

  /** For aliases. An unknown client id may be a secret in the wrong place, so it is not put into the params, which are logged. */
  const environmentInToken = async (request: Request): Promise<Environment | undefined> => {
    const environment = await environments.get(readClientId(request.headers.authorization) ?? '')
    if (environment) request.params['clientId'] = environment.id
    return environment
  }

  const environmentOf = (route: Route, request: Request): ReturnType<typeof environmentFor> => {
    if (route.access !== 'back-end' && route.access !== 'user') return undefined
    return route.aliasOf === undefined ? environmentFor(request) : environmentInToken(request)
  }

  const crossOrigin = (route: Route, request: Request, environment: Environment | undefined): Headers =>
    route.access === 'user' ? corsHeaders(environment?.settings, request.headers.origin) : {}

  const serve =
    (route: Route): RequestHandler =>
    (request, response) =>
      run(request, response, route.path, async reply => {
        const { headers } = reply
        const environment = await environmentOf(route, request)
        if (environment) reply.envId = environment.id
        Object.assign(headers, crossOrigin(route, request, environment))
        if (route.aliasOf !== undefined) refuseUnlistedOrigin(request.headers, environment?.settings)
        const operator = await operatorOf(accessOptions, route, request)
        const work = async (): Promise<Answer> => {
          const caller = await identifyCaller(accessOptions, route, request, environment, operator)
          Object.assign(headers, caller.headers)
          if (caller.client !== undefined) reply.client = caller.client
          const call = await buildCall(accessOptions, route, request, response, caller)
          reply.call = call
          if (operator === undefined) Object.assign(headers, await countRest(accessOptions, route, call))
          return answerOf(route, call as never).catch(error => countRefusal(request, error))
        }
        const answer = await auditRequest({ audit, trustedProxies }, operator, route, request, reply, work)
        const isCacheable = route.method === 'GET' && route.access !== 'anyone'
        return isCacheable ? withEtag(answer, request.headers['if-none-match']) : answer
      })

  for (const [path, group] of byPath(routes)) {
    const expressRoute = app.route(path)
    for (const route of group) expressRoute[METHODS[route.method]](serve(route))
    const allowed = group.map(route => route.method)
    const frontEnd = group.find(route => route.access === 'user')
    const frontEndMethods = group.filter(route => route.access === 'user').map(route => route.method)
    expressRoute.all((request, response) =>
      run(request, response, path, async ({ headers }) => {
        const environment = frontEnd && (await environmentFor(request))
        if (frontEnd) Object.assign(headers, crossOrigin(frontEnd, request, environment))
        const head = allowed.includes('GET') ? ['HEAD'] : []
        headers['allow'] = [...allowed, ...head, 'OPTIONS'].join(', ')
        if (request.method !== 'OPTIONS') {
          throw new Problem('method-not-allowed', `Expected ${allowed.join(' or ')}.`)
        }
        return { headers: frontEnd ? preflightHeaders(frontEndMethods) : {}, status: 204 }
      })
    )
  }

  /** Sends errors with CORS headers and answers preflights, so that a page with a wrong address can read the problem. */
  const refuse = (request: Request, response: Response, error: unknown): Promise<void> =>
    run(request, response, 'none', async ({ headers }) => {
      Object.assign(headers, corsHeaders(undefined, request.headers.origin))
      if (isPreflight(request)) return { headers: preflightHeaders(Object.keys(METHODS)), status: 204 }
      throw error
    })
  app.use((request, response) =>
    refuse(
      request,
      response,
      new Problem('not-found', 'No route has this address. Check the path and the method.')
    )
  )
  const failed: ErrorRequestHandler = (error: unknown, request, response, _next) =>
    refuse(request, response, isMalformed(error) ? malformed(error) : error)
  app.use(failed)
}

/** Repeats a read once if its database connection was lost, so that a restart of the database stays unnoticed. */
async function answerOf(route: Route, call: never): Promise<Answer> {
  try {
    return await route.handle(call)
  } catch (error) {
    if (route.method !== 'GET' || !isConnectionLost(error)) throw error
    return route.handle(call)
  }
}

const METHODS = { DELETE: 'delete', GET: 'get', PATCH: 'patch', POST: 'post', PUT: 'put' } as const

const isPreflight = ({ headers, method }: Request): boolean =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined

/** Express throws a URIError, or an error with status 400, if it cannot decode the path. */
const isMalformed = (error: unknown): boolean => error instanceof URIError || statusOf(error) === 400
const statusOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined
const malformed = (cause: unknown): Problem =>
  new Problem(
    'invalid-address',
    'The address contains a percent sign that is not followed by two hex digits of valid UTF-8.',
    {
      cause
    }
  )

/** Groups routes by path, frequent ones first and fixed segments before parameters, so that the order of the list does not matter. */
function byPath(routes: readonly Route[]): [string, Route[]][] {
  const groups = new Map<string, Route[]>()
  for (const route of routes) {
    const group = groups.get(route.path)
    if (!group) groups.set(route.path, [route])
    else if (group.some(other => other.method === route.method)) {
      throw new Error(`Two routes for ${route.method} ${route.path}`)
    } else group.push(route)
  }
  const rank = ([path, group]: [string, Route[]]): string =>
    group.some(({ isFrequent }) => isFrequent) ? '' : path.replace(/:\w+/g, '\u{10ffff}')
  return [...groups].toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))
}

// Puts routes on Express: environments, credentials, CORS and limits, and the answers where there is no route.

import type { ErrorRequestHandler, Express, Request, RequestHandler, Response } from 'express'

import type { Config } from '../config/config.ts'
import type { Environment, Environments } from '../config/environment.ts'
import { cidrList } from '../core/cidr.ts'
import type { Log } from '../core/log.ts'
import { isConnectionLost } from '../db/failure.ts'
import { refusePage } from './alias.ts'
import { clientIdOf } from './auth.ts'
import { corsHeaders, preflightHeaders } from './cors.ts'
import { tagged } from './etag.ts'
import { openRun, type Seen } from './handle-request.ts'
import { prefixOf } from './path-prefix.ts'
import { Problem } from './problem.ts'
import { environmentLimits, rateLimit } from './rate-limits.ts'
import { callOf, identifyCaller, type Desk } from './route-call.ts'
import type { Answer, Route } from './route.ts'
import { tellUnknownProxy } from './untrusted-proxy.ts'
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
  readonly log: Log
  /** sha256 of the admin token; undefined: operator routes refuse everyone. */
  readonly adminTokenHash: Buffer | undefined
  /** Told about every request, for the metrics. */
  readonly observe?: (seen: Seen) => void
  /** See {@link READER_TIMEOUT_MS}, which is the default. */
  readonly readerTimeoutMs?: number
}

/**
 * Mounts all routes, each with and without trailing slash, and after them the answers for unknown addresses and
 * methods and for errors. Call it last: what was mounted before (files, pages) comes first.
 */
export function mount(app: Express, routes: readonly Route[], options: MountOptions): void {
  const { config, environments, log, adminTokenHash, observe, readerTimeoutMs = READER_TIMEOUT_MS } = options
  const desk: Desk = {
    adminTokenHash,
    backEnd: environmentLimits(config.environmentRequestsPerSecond),
    frontEnd: rateLimit('requests', config.requestsPerSecond, 'An address'),
    people: rateLimit('requests', config.requestsPerSecond, 'A user'),
    limits: config,
    trusted: cidrList(config.trustedProxies)
  }

  const run = openRun({
    log,
    observe,
    patience: readerTimeoutMs,
    prefix: prefixOf(config.publicUrl)
  })

  app.disable('x-powered-by')
  app.set('etag', false)
  app.set('query parser', false)

  app.use(tellUnknownProxy(config.trustedProxies, log))

  // A base address that ends with a slash, as a setting of a client: `//client/sender`.
  app.use((request, _response, next) => {
    if (request.url.startsWith('//')) request.url = request.url.replace(/^\/+/, '/')
    next()
  })

  const environmentFor = (request: Request): Promise<Environment | undefined> | undefined => {
    const { clientId } = request.params
    return typeof clientId === 'string' ? environments.get(clientId) : undefined
  }

  /** At an alias. What the token says of nobody we know may be a secret, and is not put where logs look. */
  const environmentInToken = async (request: Request): Promise<Environment | undefined> => {
    const environment = await environments.get(clientIdOf(request.headers.authorization) ?? '')
    if (environment) request.params['clientId'] = environment.id
    return environment
  }

  const environmentOf = (route: Route, request: Request): ReturnType<typeof environmentFor> => {
    if (route.who === 'anyone' || route.who === 'admin') return undefined
    return route.aliasOf === undefined ? environmentFor(request) : environmentInToken(request)
  }

  const crossOrigin = (route: Route, request: Request, environment: Environment | undefined): Headers =>
    route.who === 'user' ? corsHeaders(environment?.settings, request.headers.origin) : {}

  const serve =
    (route: Route): RequestHandler =>
    (request, response) =>
      run(request, response, route.path, async headers => {
        const environment = await environmentOf(route, request)
        Object.assign(headers, crossOrigin(route, request, environment))
        if (route.aliasOf !== undefined) refusePage(request.headers, environment?.settings)
        const caller = await identifyCaller(desk, route, request, environment)
        Object.assign(headers, caller.headers)
        const call = await callOf(desk, route, request, response, caller)
        const answer = await answerOf(route, call as never)
        const kept = route.method === 'GET' && route.who !== 'anyone'
        return kept ? tagged(answer, request.headers['if-none-match']) : answer
      })

  for (const [path, group] of byPath(routes)) {
    const place = app.route(path)
    for (const route of group) place[METHODS[route.method]](serve(route))
    const allowed = group.map(route => route.method)
    const open = group.find(route => route.who === 'user')
    const forPages = group.filter(route => route.who === 'user').map(route => route.method)
    place.all((request, response) =>
      run(request, response, path, async headers => {
        const environment = open && (await environmentFor(request))
        if (open) Object.assign(headers, crossOrigin(open, request, environment))
        const head = allowed.includes('GET') ? ['HEAD'] : []
        headers['allow'] = [...allowed, ...head, 'OPTIONS'].join(', ')
        if (request.method !== 'OPTIONS') {
          throw new Problem('method-not-allowed', `Expected ${allowed.join(' or ')}.`)
        }
        return { headers: open ? preflightHeaders(forPages) : {}, status: 204 }
      })
    )
  }

  /** A page that has mistyped an address reads so, instead of a refusal of its browser; the browser asks first. */
  const refuse = (request: Request, response: Response, error: unknown): Promise<void> =>
    run(request, response, 'none', async headers => {
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

/** A read whose connection died with the database is done once more: the caller need not notice a restart. */
async function answerOf(route: Route, call: never): Promise<Answer> {
  try {
    return await route.handle(call)
  } catch (error) {
    if (route.method !== 'GET' || !isConnectionLost(error)) throw error
    return route.handle(call)
  }
}

const METHODS = { DELETE: 'delete', GET: 'get', PATCH: 'patch', POST: 'post', PUT: 'put' } as const

/** A browser asks whether a page of another origin may send what it wants to send. */
const isPreflight = ({ headers, method }: Request): boolean =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined

/** Express could not decode the path. */
const isMalformed = (error: unknown): boolean => error instanceof URIError || statusOf(error) === 400
const statusOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined
const malformed = (cause: unknown): Problem =>
  new Problem(
    'invalid-address',
    'A percent sign in the address is not followed by two hex digits of UTF-8.',
    {
      cause
    }
  )

/** Routes by path, fixed segments before parameters, so that the order in which features are listed is of no account. */
function byPath(routes: readonly Route[]): [string, Route[]][] {
  const groups = new Map<string, Route[]>()
  for (const route of routes) {
    const group = groups.get(route.path)
    if (!group) groups.set(route.path, [route])
    else if (group.some(other => other.method === route.method)) {
      throw new Error(`Two routes for ${route.method} ${route.path}`)
    } else group.push(route)
  }
  const rank = (path: string) => path.replace(/:\w+/g, '\u{10ffff}')
  return [...groups].toSorted(([a], [b]) => (rank(a) < rank(b) ? -1 : 1))
}

// From a request to the call that a route gets: credentials checked, body read, everything costly only when asked for.

import { createHash } from 'node:crypto'
import type { BlockList } from 'node:net'

import type { Request, Response } from 'express'

import type { Config } from '../config/config.ts'
import type { Environment } from '../config/environment.ts'
import { bucketOf, isUserId, USER_ID_LIMIT } from '../core/id.ts'
import { isAdmin, isBackEnd, userOf } from './auth.ts'
import { parseJson, readBody } from './body.ts'
import { addressKey, addressOf } from './client-address.ts'
import { Problem } from './problem.ts'
import type { EnvironmentLimits, RateLimit } from './rate-limits.ts'
import type { CallOf, Route, AccessLevel } from './route.ts'

export interface Desk {
  readonly limits: Pick<Config, 'bodyMaxBytes' | 'inlineFilesMaxBytes'>
  /** sha256 of the admin token. */
  readonly adminTokenHash: Buffer | undefined
  readonly trusted: BlockList
  /** By address. */
  readonly frontEnd: RateLimit
  /** By environment and user, for those who prove that they are it. */
  readonly people: RateLimit
  readonly backEnd: EnvironmentLimits
}

const unauthorized = (who: AccessLevel): Problem =>
  new Problem('unauthorized', DETAIL[who], {
    headers: {
      'www-authenticate':
        who === 'admin' ? 'Bearer realm="notif-kit"' : 'Basic realm="notif-kit", charset="UTF-8"'
    }
  })

const DETAIL: Readonly<Record<AccessLevel, string>> = {
  admin: 'Send the admin token as bearer token.',
  anyone: 'These credentials are wrong.',
  'back-end': 'Send Basic credentials made of client id and client secret, for the client id of the address.',
  user: 'Send Basic credentials made of client id, user id and user hash, for the client id and user of the address.'
}

type Caller = Partial<Pick<CallOf['user'], 'env' | 'userId' | 'bucket'>> & {
  readonly headers?: Readonly<Record<string, string>>
}

const REQUEST = ['requests'] as const

/** Who is calling, and how many requests are left. @throws Problem */
export async function identifyCaller(
  desk: Desk,
  { who, counts = REQUEST, path }: Pick<Route, 'who' | 'counts' | 'path'>,
  request: Request,
  environment: Environment | undefined
): Promise<Caller> {
  const header = request.headers.authorization
  if (who === 'anyone') return {}
  const address = addressKey(addressOf(request, desk.trusted))
  if (who === 'admin') {
    if (isAdmin(header, desk.adminTokenHash)) return {}
    await desk.frontEnd.take(address)
    throw unauthorized(who)
  }
  const clientId = param(request, 'clientId')
  const trusted = isBackEnd(header, clientId, environment)
  if (who === 'back-end') {
    if (trusted && environment) {
      return { env: environment, headers: await desk.backEnd.take(environment, counts) }
    }
    // Guessing is limited too, but never the right secret of a neighbour.
    await desk.frontEnd.take(address)
    throw unauthorized(who)
  }
  const pathId = path.includes('/:userId') ? param(request, 'userId') : undefined
  // A back end acts for whom the path names, and is nobody itself.
  const acting = trusted && environment
  const user = trusted ? undefined : userOf(header, clientId, pathId, environment)
  const userId = acting ? pathId : user?.userId
  // Back ends sign for all of their users from one address, and an office shares one: whoever is proven counts alone.
  const headers = acting
    ? await desk.backEnd.take(environment, counts)
    : user?.proven
      ? await desk.people.take(`${clientId}\0${user.userId}`)
      : await desk.frontEnd.take(address)
  if (userId === undefined || !environment) throw unauthorized(who)
  if (!isUserId(userId)) {
    throw new Problem('invalid-address', `A user id has 1 to ${USER_ID_LIMIT} characters.`)
  }
  return { bucket: bucketOf(environment.id, userId), env: environment, headers, userId }
}

const param = (request: Request, name: string): string => String(request.params[name] ?? '')

const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0

/** Reads and parses the body, and puts together what the route gets. @throws Problem */
export async function callOf(
  desk: Desk,
  route: Route,
  request: Request,
  response: Response,
  caller: Caller
): Promise<CallOf['user']> {
  for (const [name, value] of Object.entries(request.params)) {
    if (value.includes('\0')) throw new Problem('invalid-address', `The character U+0000 stands in ${name}.`)
  }
  const { bodyMaxBytes, inlineFilesMaxBytes } = desk.limits
  const limit = route.besidesFiles ? bodyMaxBytes + inlineFilesMaxBytes : bodyMaxBytes
  const raw = hasBody(request) ? await readBody(request, limit, route.head) : Buffer.alloc(0)
  const body = route.raw ? raw : parseJson(raw)
  if (route.besidesFiles && raw.length > bodyMaxBytes && route.besidesFiles(body) > bodyMaxBytes) {
    throw new Problem('body-too-large', `Without its files the body has more than ${bodyMaxBytes} bytes.`)
  }
  const { env, userId, bucket } = caller as CallOf['user']
  const { url } = request
  const mark = url.indexOf('?')
  return Call.of(route, response, raw, url, {
    address: addressOf(request, desk.trusted),
    body,
    bucket,
    bytes: raw.length,
    env,
    headers: request.headers,
    idempotencyKey: idempotencyKeyOf(request),
    params: request.params as Readonly<Record<string, string>>,
    query: new URLSearchParams(mark < 0 ? '' : url.slice(mark)),
    userId
  })
}

type Costly = 'fingerprint' | 'signal'
type Cheap = Omit<CallOf['user'], Costly>

/**
 * A class, because V8 puts getters that stand in an object literal among the old objects at once, and with them all that
 * they can see: the whole request outlived the young generation, whose collections took ten times as long for it.
 */
class Call implements Pick<CallOf['user'], Costly> {
  readonly #route: Route
  readonly #response: Response
  readonly #raw: Buffer
  readonly #address: string
  #fingerprint: Buffer | undefined
  #signal: AbortSignal | undefined

  private constructor(route: Route, response: Response, raw: Buffer, address: string) {
    this.#route = route
    this.#response = response
    this.#raw = raw
    this.#address = address
  }

  static of(route: Route, response: Response, raw: Buffer, address: string, cheap: Cheap): CallOf['user'] {
    return Object.assign(new Call(route, response, raw, address), cheap)
  }

  get fingerprint(): Buffer {
    return (this.#fingerprint ??= createHash('sha256')
      .update(`${this.#route.method} ${this.#address}\n${this.#route.path}\n`)
      .update(this.#raw)
      .digest())
  }

  get signal(): AbortSignal {
    return (this.#signal ??= signalOf(this.#response))
  }
}

function signalOf(response: Response): AbortSignal {
  const controller = new AbortController()
  if (response.destroyed) controller.abort()
  response.once('close', () => {
    if (!response.writableFinished) controller.abort()
  })
  return controller.signal
}

function idempotencyKeyOf({ method, headers }: Request): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined || method === 'GET' || method === 'HEAD') return undefined
  if (typeof key === 'string' && /^[\x20-\x7e]{1,255}$/.test(key)) return key
  throw new Problem('invalid-request', 'Idempotency-Key must be 1 to 255 printable ASCII characters.')
}

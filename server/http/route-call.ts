// Builds the call of a route from a request: reads the body, and checks query and idempotency key.

import { createHash } from 'node:crypto'

import type { Request, Response } from 'express'

import { parseJson, readBody } from './body.ts'
import { clientAddress } from './client-address.ts'
import { REQUEST, type AccessOptions, type Caller } from './identify-caller.ts'
import { Problem } from './problem.ts'
import type { CallOf, Route } from './route.ts'
import type { OpenSession } from './session.ts'
import { refuseUnknownQuery } from './unknown-query.ts'

const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0

/** Actor of calls with the credentials of a user. */
const USER_ACTOR = 'user'

/** Reads and parses the body, and builds the call. @throws Problem */
export async function buildCall(
  options: AccessOptions,
  route: Route,
  request: Request,
  response: Response,
  caller: Caller
): Promise<CallOf['user']> {
  for (const [name, value] of Object.entries(request.params)) {
    if (value.includes('\0'))
      throw new Problem('invalid-address', `The parameter ${name} contains the character U+0000.`)
  }
  const { url } = request
  const queryStart = url.indexOf('?')
  const query = new URLSearchParams(queryStart < 0 ? '' : url.slice(queryStart))
  refuseUnknownQuery(route, query)
  const { bodyMaxBytes, inlineFilesMaxBytes } = options.limits
  const limit = route.besidesFiles ? bodyMaxBytes + inlineFilesMaxBytes : bodyMaxBytes
  const raw = hasBody(request) ? await readBody(request, limit, route.head) : Buffer.alloc(0)
  const body = route.raw ? raw : parseJson(raw)
  if (route.besidesFiles && raw.length > bodyMaxBytes && route.besidesFiles(body) > bodyMaxBytes) {
    throw new Problem('body-too-large', `Without its files, the body has more than ${bodyMaxBytes} bytes.`)
  }
  const { bucket, credential, env, masksAddresses = false, userId } = caller as Caller & CallOf['user']
  const operator = caller.operator?.actor as string
  return Call.of(route, response, raw, url, {
    // Only users have no actor of their own.
    actor: operator ?? caller.actor ?? USER_ACTOR,
    address: clientAddress(request, options.trustedProxies),
    body,
    bucket,
    bytes: raw.length,
    credential,
    env,
    headers: request.headers,
    idempotencyKey: keyOf(caller.operator?.actor, readIdempotencyKey(request)),
    masksAddresses,
    operator,
    params: request.params as Readonly<Record<string, string>>,
    query,
    session: caller.operator?.session as OpenSession,
    userId
  })
}

/** Counts a call that stands for several, beside the one that is counted. @throws Problem `rate-limited` */
export async function countRest(
  { backEnd }: AccessOptions,
  { countOf, counts = REQUEST }: Pick<Route, 'countOf' | 'counts'>,
  { body, env }: Pick<CallOf['back-end'], 'body' | 'env'>
): Promise<Readonly<Record<string, string>>> {
  const rest = (countOf?.(body) ?? 1) - 1
  return rest > 0 ? backEnd.take(env, counts, rest) : {}
}

/** Fields that are computed on first use, because most routes do not need them. */
type LazyFields = 'fingerprint' | 'signal'
type EagerFields = Omit<CallOf['member'] & CallOf['user'], LazyFields>

/**
 * The call with its lazy fields. A class, because V8 allocates getters of an object literal among the old objects, together with
 * everything that they refer to, and the whole request would outlive the young generation.
 */
class Call implements Pick<CallOf['user'], LazyFields> {
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

  static of(
    route: Route,
    response: Response,
    raw: Buffer,
    address: string,
    fields: EagerFields
  ): CallOf['user'] {
    return Object.assign(new Call(route, response, raw, address), fields)
  }

  get fingerprint(): Buffer {
    return (this.#fingerprint ??= createHash('sha256')
      .update(`${this.#route.method} ${this.#address}\n${this.#route.path}\n`)
      .update(this.#raw)
      .digest())
  }

  get signal(): AbortSignal {
    return (this.#signal ??= disconnectSignal(this.#response))
  }
}

function disconnectSignal(response: Response): AbortSignal {
  const controller = new AbortController()
  if (response.destroyed) controller.abort()
  response.once('close', () => {
    if (!response.writableFinished) controller.abort()
  })
  return controller.signal
}

/** Separates the keys of operators from those of back ends, which contain no line feed. */
const keyOf = (operator: string | undefined, key: string | undefined): string | undefined =>
  operator === undefined || key === undefined ? key : `${operator}\n${key}`

function readIdempotencyKey({ method, headers }: Request): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined || method === 'GET' || method === 'HEAD') return undefined
  if (typeof key === 'string' && /^[\x20-\x7e]{1,255}$/.test(key)) return key
  throw new Problem('invalid-request', 'Idempotency-Key: expected 1 to 255 printable ASCII characters.')
}

// The guarded way out: the only way to an address that came from outside (attachments, push endpoints, webhooks).

import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'

import type { Config } from '../config/config.ts'
import { placeOf } from './address-policy.ts'
import { Forbidden, guardedAgents, keepingAgents } from './agent.ts'
import { bodyOf, TakeFailed, type Budget, type Take } from './body.ts'
import { Failure, type OutboundCode } from './failure.ts'

export interface OutboundRequest {
  /** Default GET. Only GET follows redirects. */
  readonly method?: 'GET' | 'POST'
  /** Go to the origin of the address alone, not to where it redirects. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Aborts the request. */
  readonly signal?: AbortSignal
  /** Bytes that may still arrive, counted down; several requests may share one. Default: 64 KiB. */
  readonly budget?: Budget
  /**
   * Takes the body of an answer 200 piece by piece, instead of collecting it in memory; awaited, so that a slow taker
   * slows the sender. A body with another status is not read then. May throw, which ends the request and is thrown on.
   */
  readonly take?: Take
  /**
   * The connection may be one of before, and stays open a moment for the next request to this origin. Its server may end
   * it in the instant in which it is used, which looks like `cut`: only for what may arrive twice.
   */
  readonly keep?: true
}

export type OutboundResult =
  | {
      readonly ok: true
      readonly status: number
      readonly headers: IncomingHttpHeaders
      readonly body: Buffer
    }
  | {
      readonly ok: false
      readonly code: OutboundCode
      readonly detail: string
      /** The request may have arrived. */
      readonly reached: boolean
    }

export interface Outbound {
  /** Never throws for what the address or its server does. Any status is `ok`. */
  request(url: string, request?: OutboundRequest): Promise<OutboundResult>
}

export interface OutboundOptions {
  readonly config: Pick<Config, 'allowPrivate' | 'outboundPorts'>
  /** For addresses that are settings: the operator may name any host and port. */
  readonly trusted?: true
  /** Default: that of the system. */
  readonly lookup?: LookupFunction
  /** Milliseconds until a connection stands. Default 5000. */
  readonly connect?: number
  /** Milliseconds without a byte. Default 10,000. */
  readonly idle?: number
  /** Milliseconds of a whole request, redirects included. Default 30,000. */
  readonly total?: number
}

const BODY = 64 * 1024
const HEADERS = 16 * 1024
const HOPS = 3
const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** Where a request stands: what stops it, and whether it has left. */
interface Journey {
  readonly stop: AbortController
  reached: boolean
}

/** @throws Failure */
function parse(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new Failure('address', 'Expected an http or https address.')
  }
  if (url.username !== '' || url.password !== '') {
    throw new Failure('address', 'Expected an address without credentials.')
  }
  if (base?.protocol === 'https:' && url.protocol === 'http:') {
    throw new Failure('redirects', 'A redirect leads from https to http.')
  }
  return url
}

export function openOutbound({
  config,
  trusted,
  lookup,
  connect = 5000,
  idle = 10_000,
  total = 30_000
}: OutboundOptions): Outbound {
  const guard = {
    lookup,
    placeOf: trusted ? () => 'opened' as const : placeOf(config.allowPrivate),
    ports: config.outboundPorts
  }
  const single = guardedAgents(guard)
  const keeping = keepingAgents(guard)

  const ask = (url: URL, { method = 'GET', headers, body, keep }: OutboundRequest, journey: Journey) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const secure = url.protocol === 'https:'
      const request = (secure ? https : http).request(url, {
        agent: (keep ? keeping : single)[secure ? 'https:' : 'http:'],
        headers: {
          'user-agent': 'notif-kit',
          ...headers,
          'accept-encoding': 'identity',
          ...(body !== undefined && { 'content-length': Buffer.byteLength(body) })
        },
        maxHeaderSize: HEADERS,
        method,
        signal: journey.stop.signal,
        timeout: idle
      })
      const late = setTimeout(
        () => journey.stop.abort(new Failure('connect', `No connection within ${connect} ms.`)),
        connect
      )
      const connected = (): void => {
        clearTimeout(late)
        journey.reached = true
      }
      request.once('socket', socket => {
        if (request.reusedSocket) connected()
        else socket.once(secure ? 'secureConnect' : 'connect', connected)
      })
      request.once('close', () => clearTimeout(late))
      request.once('timeout', () => journey.stop.abort(new Failure('timeout', `Silent for ${idle} ms.`)))
      request.once('error', reject)
      request.once('response', resolve)
      // Such a connection is ours alone from then on, and nothing else would end it.
      request.once('upgrade', (_, socket) => {
        socket.destroy()
        reject(new Failure('cut', 'The answer changes the protocol, which was not asked for.'))
      })
      request.end(body)
    })

  /** @throws whatever went wrong */
  const travel = async (
    text: string,
    request: OutboundRequest,
    journey: Journey
  ): Promise<OutboundResult> => {
    const { method = 'GET', budget = { left: BODY } } = request
    const first = parse(text)
    for (let url = first, hop = 0; ; hop++) {
      const headers = url.origin === first.origin ? request.headers : undefined
      const response = await ask(url, { ...request, headers: headers ?? {} }, journey)
      try {
        const status = response.statusCode ?? 0
        const { location } = response.headers
        if (method !== 'GET' || location === undefined || !REDIRECTS.has(status)) {
          const body = await bodyOf(response, budget, request.take)
          return { body, headers: response.headers, ok: true, status }
        }
        if (hop === HOPS) throw new Failure('redirects', `More than ${HOPS} redirects.`)
        url = parse(location, url)
      } finally {
        response.destroy()
      }
    }
  }

  return {
    async request(url, request = {}) {
      const journey: Journey = { reached: false, stop: new AbortController() }
      const { stop } = journey
      const { signal } = request
      const abort = () => stop.abort(new Failure('timeout', 'The request was given up.'))
      const timer = setTimeout(
        () => stop.abort(new Failure('timeout', `No whole answer within ${total} ms.`)),
        total
      )
      signal?.addEventListener('abort', abort)
      if (signal?.aborted) abort()
      try {
        return await travel(url, request, journey)
      } catch (error) {
        if (error instanceof TakeFailed) throw error.cause
        const { code, message: detail } = failureOf(error, journey)
        return { code, detail, ok: false, reached: journey.reached }
      } finally {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
      }
    }
  }
}

/** What stopped the journey explains the error that its connection ended with. */
function failureOf(error: unknown, { reached, stop }: Journey): Failure {
  const cause: unknown = stop.signal.aborted ? stop.signal.reason : error
  if (cause instanceof Failure) return cause
  const detail = cause instanceof Error ? cause.message : String(cause)
  if (cause instanceof Forbidden) return new Failure('forbidden', detail)
  return new Failure(reached ? 'cut' : 'connect', detail)
}

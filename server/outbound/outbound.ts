// The guarded HTTP client: the only way to request addresses from outside, such as attachments and push endpoints (SSRF protection).

import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'

import type { Config } from '../config/config.ts'
import { createAddressClassifier } from './address-policy.ts'
import { ForbiddenAddress, guardedAgents, keepingAgents } from './agent.ts'
import { readAnswerBody, OnPartError, type Budget, type OnPart } from './body.ts'
import { OutboundError, type OutboundCode } from './failure.ts'

export interface OutboundRequest {
  /** Default GET. Only GET follows redirects. */
  readonly method?: 'GET' | 'POST'
  /** Sent to the origin of the address only, not to redirects. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly signal?: AbortSignal
  /** Bytes that the answer may still have, counted down. Several requests may share one budget. Default: 64 KiB. */
  readonly budget?: Budget
  /**
   * Receives the body of an answer 200 in parts, instead of collecting it in memory. It is awaited, so a slow receiver slows the
   * sender. Bodies with another status are not read. An error ends the request and is thrown.
   */
  readonly onPart?: OnPart
  /**
   * Reuses connections to this origin. A server may close one in the moment of its use, which looks like `cut`, so the request may be
   * repeated and must be safe to arrive twice.
   */
  readonly keepAlive?: true
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
      /** The request may have arrived at the server. */
      readonly hasReachedServer: boolean
    }

export interface Outbound {
  /** Never throws for faults of the address or its server. Every HTTP status is `ok`. */
  request(url: string, request?: OutboundRequest): Promise<OutboundResult>
}

export interface OutboundOptions {
  readonly config: Pick<Config, 'allowPrivate' | 'outboundPorts'>
  /** For addresses from settings: the operator may use any host and port. */
  readonly trusted?: true
  /** Default: the resolver of the system. */
  readonly lookup?: LookupFunction
  /** Until a connection is established. Default: 5,000. */
  readonly connectTimeoutMs?: number
  /** Without a byte. Default: 10,000. */
  readonly idleTimeoutMs?: number
  /** Of a whole request with its redirects. Default: 30,000. */
  readonly totalTimeoutMs?: number
}

const DEFAULT_BUDGET_BYTES = 64 * 1024
const MAX_HEADER_BYTES = 16 * 1024
const MAX_REDIRECTS = 3
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308])

interface Progress {
  readonly stop: AbortController
  reached: boolean
}

function parse(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new OutboundError('address', 'Expected an http or https address.')
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutboundError('address', 'Expected an address without credentials.')
  }
  if (base?.protocol === 'https:' && url.protocol === 'http:') {
    throw new OutboundError('redirects', 'A redirect from https to http is not followed.')
  }
  return url
}

export function openOutbound({
  config,
  trusted,
  lookup,
  connectTimeoutMs = 5000,
  idleTimeoutMs = 10_000,
  totalTimeoutMs = 30_000
}: OutboundOptions): Outbound {
  const guard = {
    lookup,
    classify: trusted ? () => 'allowed' as const : createAddressClassifier(config.allowPrivate),
    ports: config.outboundPorts
  }
  const singleUse = guardedAgents(guard)
  const keepAliveAgents = keepingAgents(guard)

  const send = (
    url: URL,
    { method = 'GET', headers, body, keepAlive }: OutboundRequest,
    progress: Progress
  ) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const secure = url.protocol === 'https:'
      const request = (secure ? https : http).request(url, {
        agent: (keepAlive ? keepAliveAgents : singleUse)[secure ? 'https:' : 'http:'],
        headers: {
          'user-agent': 'notif-kit',
          ...headers,
          'accept-encoding': 'identity',
          ...(body !== undefined && { 'content-length': Buffer.byteLength(body) })
        },
        maxHeaderSize: MAX_HEADER_BYTES,
        method,
        signal: progress.stop.signal,
        timeout: idleTimeoutMs
      })
      const connectTimer = setTimeout(
        () =>
          progress.stop.abort(new OutboundError('connect', `No connection within ${connectTimeoutMs} ms.`)),
        connectTimeoutMs
      )
      const connected = (): void => {
        clearTimeout(connectTimer)
        progress.reached = true
      }
      request.once('socket', socket => {
        if (request.reusedSocket) connected()
        else socket.once(secure ? 'secureConnect' : 'connect', connected)
      })
      request.once('close', () => clearTimeout(connectTimer))
      request.once('timeout', () =>
        progress.stop.abort(new OutboundError('timeout', `No data for ${idleTimeoutMs} ms.`))
      )
      request.once('error', reject)
      request.once('response', resolve)
      // Node hands an upgraded connection over, so nothing else would close it.
      request.once('upgrade', (_, socket) => {
        socket.destroy()
        reject(new OutboundError('cut', 'The server changed the protocol, which was not requested.'))
      })
      request.end(body)
    })

  /** Sends the request and follows redirects. @throws what went wrong */
  const follow = async (
    text: string,
    request: OutboundRequest,
    progress: Progress
  ): Promise<OutboundResult> => {
    const { method = 'GET', budget = { left: DEFAULT_BUDGET_BYTES } } = request
    const first = parse(text)
    for (let url = first, hop = 0; ; hop++) {
      const headers = url.origin === first.origin ? request.headers : undefined
      const response = await send(url, { ...request, headers: headers ?? {} }, progress)
      try {
        const status = response.statusCode ?? 0
        const { location } = response.headers
        if (method !== 'GET' || location === undefined || !REDIRECT_STATUSES.has(status)) {
          const body = await readAnswerBody(response, budget, request.onPart)
          return { body, headers: response.headers, ok: true, status }
        }
        if (hop === MAX_REDIRECTS)
          throw new OutboundError('redirects', `More than ${MAX_REDIRECTS} redirects.`)
        url = parse(location, url)
      } finally {
        response.destroy()
      }
    }
  }

  return {
    async request(url, request = {}) {
      const progress: Progress = { reached: false, stop: new AbortController() }
      const { stop } = progress
      const { signal } = request
      const abort = () => stop.abort(new OutboundError('timeout', 'The request was aborted.'))
      const timer = setTimeout(
        () => stop.abort(new OutboundError('timeout', `No complete answer within ${totalTimeoutMs} ms.`)),
        totalTimeoutMs
      )
      signal?.addEventListener('abort', abort)
      if (signal?.aborted) abort()
      try {
        return await follow(url, request, progress)
      } catch (error) {
        if (error instanceof OnPartError) throw error.cause
        const { code, message: detail } = toOutboundError(error, progress)
        return { code, detail, ok: false, hasReachedServer: progress.reached }
      } finally {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
      }
    }
  }
}

/** Converts an error of the connection. If the request was stopped, the reason of the stop explains the error. */
function toOutboundError(error: unknown, { reached, stop }: Progress): OutboundError {
  const cause: unknown = stop.signal.aborted ? stop.signal.reason : error
  if (cause instanceof OutboundError) return cause
  const detail = cause instanceof Error ? cause.message : String(cause)
  if (cause instanceof ForbiddenAddress) return new OutboundError('forbidden', detail)
  return new OutboundError(reached ? 'cut' : 'connect', detail)
}

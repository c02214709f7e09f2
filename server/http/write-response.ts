// Writes answers: JSON, text, pages with a strict content security policy, streams and problems.

import { once } from 'node:events'
import type { ServerResponse } from 'node:http'

import helmet from 'helmet'

import type { UnsentBytes } from '../core/unsent-bytes.ts'
import type { Problem } from './problem.ts'
import type { Answer, Streamed } from './route.ts'

const COMMON = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

/** Allows nothing from other hosts, and nothing inline but styles. A page that needs more sets a policy of its own. */
const pageHeaders = helmet({
  contentSecurityPolicy: {
    directives: {
      'base-uri': ["'none'"],
      'connect-src': ["'self'"],
      'default-src': ["'none'"],
      'form-action': ["'self'"],
      'frame-ancestors': ["'none'"],
      'img-src': ["'self'", 'data:'],
      'script-src': ["'self'"],
      'style-src': ["'self'", "'unsafe-inline'"]
    },
    useDefaults: false
  },
  // The proxy decides whether the host is reached by https only.
  strictTransportSecurity: false
})

/** How long a client may read nothing of an answer before its connection is closed, because the rest holds memory or a database connection. */
export const READER_TIMEOUT_MS = 60_000

export type Headers = Readonly<Record<string, string>>

export interface ReaderLimits {
  /** See {@link READER_TIMEOUT_MS}. */
  readonly timeoutMs: number
  readonly unsent: UnsentBytes
  /** The client in {@link UnsentBytes.hold}. */
  readonly client: string
}

export async function writeAnswer(
  response: ServerResponse,
  { cookies, status, body, headers }: Answer,
  more: Headers,
  limits: ReaderLimits
): Promise<void> {
  if (cookies) response.setHeader('set-cookie', cookies)
  if (body === undefined) {
    response.writeHead(status, { ...COMMON, ...more, ...headers }).end()
  } else if (typeof body === 'function') {
    response.writeHead(status, { ...COMMON, ...more, ...headers })
    await stream(response, body as Streamed, limits.timeoutMs)
  } else if (typeof body === 'string' || body instanceof Uint8Array) {
    const type = headers?.['content-type'] ?? 'text/plain; charset=utf-8'
    if (type.startsWith('text/html')) pageHeaders(response.req, response, () => {})
    write(response, status, body, { ...COMMON, ...more, 'content-type': type, ...headers })
    limitReader(response, limits)
  } else {
    write(response, status, JSON.stringify(body), {
      ...COMMON,
      ...more,
      'content-type': 'application/json; charset=utf-8',
      ...headers
    })
    limitReader(response, limits)
  }
}

/** Limits the time and the memory that an answer may take which was not sent at once. */
export function limitReader(response: ServerResponse, { client, timeoutMs, unsent }: ReaderLimits): void {
  limitReadTime(response, timeoutMs)
  const bytes = response.writableLength
  if (bytes > 0)
    response.once(
      'close',
      unsent.hold(client, bytes, () => response.destroy())
    )
}

/** Closes the connection if the client stops reading the part of the answer that is still buffered. */
function limitReadTime(response: ServerResponse, readerTimeoutMs: number): void {
  const { socket } = response
  if (!socket || socket.writableLength > 0) response.setTimeout(readerTimeoutMs)
}

async function stream(response: ServerResponse, produce: Streamed, readerTimeoutMs: number): Promise<void> {
  const disconnected = new AbortController()
  if (response.destroyed) disconnected.abort()
  response.once('close', () => disconnected.abort())
  try {
    const write = async (part: string | Uint8Array): Promise<void> => {
      disconnected.signal.throwIfAborted()
      if (response.write(part)) return
      response.setTimeout(readerTimeoutMs)
      await once(response, 'drain', { signal: disconnected.signal })
      // The server produces the next part, which may take longer.
      response.setTimeout(0)
    }
    await produce(write, () => response.destroy())
    response.end()
    limitReadTime(response, readerTimeoutMs)
  } catch (error) {
    // A client that disconnects is no failure of the server.
    if (!disconnected.signal.aborted) throw error
  }
}

export function writeProblem(
  response: ServerResponse,
  problem: Problem,
  instance: string,
  more: Headers,
  prefix = ''
): void {
  write(response, problem.status, JSON.stringify(problem.toBody(instance, prefix)), {
    ...COMMON,
    ...more,
    'content-type': 'application/problem+json; charset=utf-8',
    ...problem.headers
  })
}

function write(response: ServerResponse, status: number, body: string | Uint8Array, headers: Headers): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body)
}

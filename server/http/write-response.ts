// Writes answers: JSON, text, pages with a strict policy, and problems.

import { once } from 'node:events'
import type { ServerResponse } from 'node:http'

import helmet from 'helmet'

import type { Problem } from './problem.ts'
import type { Answer, Streamed } from './route.ts'

const COMMON = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

/** Nothing from elsewhere, nothing inline but styles; a page that needs more names its own policy in its headers. */
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
  // Whether the host is only ever reached by https is for its proxy to say.
  strictTransportSecurity: false
})

/** How long a client may take none of a response before its connection is closed: the rest holds memory or a database connection. */
export const READER_TIMEOUT_MS = 60_000

export type Headers = Readonly<Record<string, string>>

/**
 * @param patience - milliseconds in which whoever asked takes something of the answer: what waits for them is memory, or a
 *   connection to the database
 */
export async function writeAnswer(
  response: ServerResponse,
  { status, body, headers }: Answer,
  more: Headers,
  patience: number
): Promise<void> {
  if (body === undefined) {
    response.writeHead(status, { ...COMMON, ...more, ...headers }).end()
  } else if (typeof body === 'function') {
    response.writeHead(status, { ...COMMON, ...more, ...headers })
    await stream(response, body as Streamed, patience)
  } else if (typeof body === 'string' || body instanceof Uint8Array) {
    const type = headers?.['content-type'] ?? 'text/plain; charset=utf-8'
    if (type.startsWith('text/html')) pageHeaders(response.req, response, () => {})
    write(response, status, body, { ...COMMON, ...more, 'content-type': type, ...headers })
    limit(response, patience)
  } else {
    write(response, status, JSON.stringify(body), {
      ...COMMON,
      ...more,
      'content-type': 'application/json; charset=utf-8',
      ...headers
    })
    limit(response, patience)
  }
}

/** What has not all left at once ends its connection when none of it leaves any more. */
function limit(response: ServerResponse, patience: number): void {
  const { socket } = response
  if (!socket || socket.writableLength > 0) response.setTimeout(patience)
}

async function stream(response: ServerResponse, produce: Streamed, patience: number): Promise<void> {
  const gone = new AbortController()
  if (response.destroyed) gone.abort()
  response.once('close', () => gone.abort())
  try {
    const write = async (piece: string | Uint8Array): Promise<void> => {
      gone.signal.throwIfAborted()
      if (response.write(piece)) return
      response.setTimeout(patience)
      await once(response, 'drain', { signal: gone.signal })
      // Now it is our turn.
      response.setTimeout(0)
    }
    await produce(write, () => response.destroy())
    response.end()
    limit(response, patience)
  } catch (error) {
    // A reader who leaves is no failure of ours.
    if (!gone.signal.aborted) throw error
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

// Keeps one HTTP/2 connection to APNs for all pushes, and opens a new one when the server closes it.

import { connect, constants, type ClientHttp2Session } from 'node:http2'

export interface ApnAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

export class NoAnswerError extends Error {
  /** The request may have arrived at the server. */
  readonly hasReachedServer: boolean
  constructor(message: string, hasReachedServer: boolean) {
    super(message)
    this.hasReachedServer = hasReachedServer
  }
}

/** The server did not process the request, so it can be repeated without sending twice (RFC 9113, 8.7). */
class RefusedStreamError extends NoAnswerError {
  constructor() {
    super('The server refused the stream.', false)
  }
}

export interface ApnConnection {
  /** @throws NoAnswerError */
  request(headers: Readonly<Record<string, string>>, body: string, signal: AbortSignal): Promise<ApnAnswer>
  close(): Promise<void>
}

/** Until a connection is established, and until a ping is answered. */
const CONNECT_TIMEOUT_MS = 10_000
/** Pings detect connections that a firewall dropped silently. */
const PING_INTERVAL_MS = 60_000
const MAX_ANSWER_CHARACTERS = 64 * 1024
/** How often a request that the server did not process is repeated on another connection. */
const MAX_REPEATS = 3

interface Connection {
  readonly session: ClientHttp2Session
  /** The connection has had an answer, so that many streams may be open. */
  isProven: boolean
  /** APNs allows one stream until it has seen a valid token, so other requests wait for the answer to the first one. */
  firstAnswer: Promise<void> | undefined
}

export function openConnection(url: string): ApnConnection {
  let connecting: Promise<Connection> | undefined
  let isClosed = false

  /** Simultaneous callers share one connection. */
  const current = (): Promise<Connection> => {
    if (connecting) return connecting
    const started = connectSession(url, () => {
      if (connecting === started) connecting = undefined
    })
    connecting = started
    return started
  }

  const send = async (...request: Parameters<ApnConnection['request']>): Promise<ApnAnswer> => {
    const [, , signal] = request
    for (;;) {
      const connection = await current()
      // The attempt timed out while it waited, and another worker may have claimed its row.
      if (signal.aborted) throw new NoAnswerError('No connection in time.', false)
      if (connection.isProven) return exchange(connection.session, ...request)
      if (!connection.firstAnswer) {
        const answer = exchange(connection.session, ...request)
        connection.firstAnswer = observeFirstAnswer(connection, answer)
        return answer
      }
      await connection.firstAnswer
    }
  }

  return {
    async close() {
      isClosed = true
      const connection = await connecting?.catch(() => undefined)
      connection?.session.close()
    },
    async request(...request) {
      for (let repeats = 0; ; repeats++) {
        if (isClosed) throw new NoAnswerError('The connection is closed.', false)
        try {
          return await send(...request)
        } catch (error) {
          if (!(error instanceof RefusedStreamError) || repeats === MAX_REPEATS) throw error
        }
      }
    }
  }
}

/** @param onUnusable - called when the session accepts no more requests, or was never established. @throws NoAnswerError */
async function connectSession(url: string, onUnusable: () => void): Promise<Connection> {
  const session = connect(url)
  const timer = setTimeout(() => session.destroy(new Error('No connection in time.')), CONNECT_TIMEOUT_MS)
  let reason = 'The server did not accept the connection.'
  session.on('error', error => void (reason = error.message))
  session.on('goaway', () => {
    onUnusable()
    session.close()
  })
  session.on('close', onUnusable)
  try {
    await new Promise<void>((resolve, reject) => {
      session.once('connect', () => resolve())
      session.once('close', () => reject(new NoAnswerError(reason, false)))
    })
  } finally {
    clearTimeout(timer)
  }
  // An idle connection does not keep the process alive.
  session.unref()
  pingRegularly(session)
  return { firstAnswer: undefined, isProven: false, session }
}

async function observeFirstAnswer(connection: Connection, answer: Promise<unknown>): Promise<void> {
  try {
    await answer
    connection.isProven = true
  } catch {
    // The next request takes its place.
  }
  connection.firstAnswer = undefined
}

function pingRegularly(session: ClientHttp2Session): void {
  const timer = setInterval(() => {
    const timeout = setTimeout(() => session.destroy(), CONNECT_TIMEOUT_MS)
    timeout.unref()
    if (!session.ping(() => clearTimeout(timeout))) session.destroy()
  }, PING_INTERVAL_MS)
  timer.unref()
  session.once('close', () => clearInterval(timer))
}

const { NGHTTP2_CANCEL, NGHTTP2_REFUSED_STREAM } = constants

function exchange(
  session: ClientHttp2Session,
  headers: Readonly<Record<string, string>>,
  payload: string,
  signal: AbortSignal
): Promise<ApnAnswer> {
  return new Promise((resolve, reject) => {
    if (session.closed || session.destroyed) return reject(new RefusedStreamError())
    const stream = session.request({ ':method': 'POST', ...headers })
    let answerHeaders: Readonly<Record<string, unknown>> | undefined
    let body = ''
    let reason = 'The connection ended before the answer.'
    const abort = (): void => {
      reason = 'No answer in time.'
      stream.close(NGHTTP2_CANCEL)
    }
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
    stream.setEncoding('utf8')
    stream.on('response', received => void (answerHeaders = received))
    stream.on('data', (chunk: string) => {
      body += chunk
      if (body.length > MAX_ANSWER_CHARACTERS) stream.close(NGHTTP2_CANCEL)
    })
    stream.on('error', error => void (reason = error.message))
    stream.on('close', () => {
      signal.removeEventListener('abort', abort)
      if (stream.rstCode === NGHTTP2_REFUSED_STREAM) reject(new RefusedStreamError())
      else if (answerHeaders && stream.rstCode === 0)
        resolve({ body, headers: answerHeaders, status: Number(answerHeaders[':status']) })
      else reject(new NoAnswerError(reason, true))
    })
    stream.end(payload)
  })
}

// One HTTP/2 connection to APNs for all pushes: opened when needed, and anew when the server says good-bye.

import { connect, constants, type ClientHttp2Session } from 'node:http2'

export interface ApnAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/** No answer. `reached`: the request may have arrived. */
export class NoAnswer extends Error {
  readonly reached: boolean
  constructor(message: string, reached: boolean) {
    super(message)
    this.reached = reached
  }
}

export interface ApnConnection {
  /** @throws NoAnswer */
  request(headers: Readonly<Record<string, string>>, body: string, signal: AbortSignal): Promise<ApnAnswer>
  close(): Promise<void>
}

/** Milliseconds until a connection stands, and until a ping is answered. */
const CONNECT = 10_000
/** Between pings: what was dropped on the way without a word is found out. */
const PING = 60_000
/** Characters of an answer. */
const BODY = 64 * 1024
/** Times that a request which was not looked at moves to another connection. */
const MOVES = 3

interface Line {
  readonly session: ClientHttp2Session
  /** It has answered once: many streams may be open. */
  proven: boolean
  /** APNs allows one stream until it has seen a valid token: the others wait for the answer to the first. */
  first: Promise<void> | undefined
}

export function openConnection(url: string): ApnConnection {
  let line: Promise<Line> | undefined
  let closing = false

  /** Of many who find none one dials. */
  const current = (): Promise<Line> => {
    if (line) return line
    const dialing = dial(url, () => {
      if (line === dialing) line = undefined
    })
    line = dialing
    return dialing
  }

  const ask = async (...request: Parameters<ApnConnection['request']>): Promise<ApnAnswer> => {
    const [, , signal] = request
    for (;;) {
      const made = await current()
      // It waited for a connection, or for the answer to the first, until its try was over: somebody else has it now.
      if (signal.aborted) throw new NoAnswer('No connection in time.', false)
      if (made.proven) return exchange(made.session, ...request)
      if (!made.first) {
        const answer = exchange(made.session, ...request)
        made.first = prove(made, answer)
        return answer
      }
      await made.first
    }
  }

  return {
    async close() {
      closing = true
      const open = await line?.catch(() => undefined)
      open?.session.close()
    },
    async request(...request) {
      for (let moves = 0; ; moves++) {
        if (closing) throw new NoAnswer('The connection is closed.', false)
        try {
          return await ask(...request)
        } catch (error) {
          if (!(error instanceof Refused) || moves === MOVES) throw error
        }
      }
    }
  }
}

/** @param leave - called when it takes no requests any more, or never stood. @throws NoAnswer */
async function dial(url: string, leave: () => void): Promise<Line> {
  const session = connect(url)
  const late = setTimeout(() => session.destroy(new Error('No connection in time.')), CONNECT)
  let reason = 'The connection was not taken.'
  session.on('error', error => void (reason = error.message))
  session.on('goaway', () => {
    leave()
    session.close()
  })
  session.on('close', leave)
  try {
    await new Promise<void>((resolve, reject) => {
      session.once('connect', () => resolve())
      session.once('close', () => reject(new NoAnswer(reason, false)))
    })
  } finally {
    clearTimeout(late)
  }
  // An idle connection keeps no process.
  session.unref()
  watch(session)
  return { first: undefined, proven: false, session }
}

async function prove(line: Line, answer: Promise<unknown>): Promise<void> {
  try {
    await answer
    line.proven = true
  } catch {
    // The next one goes first.
  }
  line.first = undefined
}

/** The server has not looked at it: it may be sent again without being sent twice. */
class Refused extends NoAnswer {
  constructor() {
    super('The server refused the stream.', false)
  }
}

function watch(session: ClientHttp2Session): void {
  const timer = setInterval(() => {
    const late = setTimeout(() => session.destroy(), CONNECT)
    late.unref()
    if (!session.ping(() => clearTimeout(late))) session.destroy()
  }, PING)
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
    if (session.closed || session.destroyed) return reject(new Refused())
    const stream = session.request({ ':method': 'POST', ...headers })
    let answer: Readonly<Record<string, unknown>> | undefined
    let body = ''
    let reason = 'The connection ended before the answer.'
    const abort = (): void => {
      reason = 'No answer in time.'
      stream.close(NGHTTP2_CANCEL)
    }
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
    stream.setEncoding('utf8')
    stream.on('response', received => void (answer = received))
    stream.on('data', (chunk: string) => {
      body += chunk
      if (body.length > BODY) stream.close(NGHTTP2_CANCEL)
    })
    stream.on('error', error => void (reason = error.message))
    stream.on('close', () => {
      signal.removeEventListener('abort', abort)
      if (stream.rstCode === NGHTTP2_REFUSED_STREAM) reject(new Refused())
      else if (answer && stream.rstCode === 0)
        resolve({ body, headers: answer, status: Number(answer[':status']) })
      else reject(new NoAnswer(reason, true))
    })
    stream.end(payload)
  })
}

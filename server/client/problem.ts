// The two errors of a call: the server refused it, or no complete answer came.

/** A fault in one field of a request. */
export interface FieldProblem {
  /** JSON pointer as URI fragment (RFC 6901, section 6), e.g. `#/to/email`. */
  readonly pointer: string
  readonly detail: string
  /** Place of a fault in the text of a template, from 1. */
  readonly line?: number
  readonly column?: number
}

interface ProblemBody {
  readonly type?: unknown
  readonly title?: unknown
  readonly detail?: unknown
  readonly errors?: unknown
  readonly messages?: unknown
}

/** The server refused the call (RFC 9457 problem, status not 2xx). Nothing was changed. */
export class NotifProblem extends Error {
  override readonly name = 'NotifProblem'
  /** Class of the problem, e.g. `/problems#invalid-request`; `about:blank` if a proxy answered instead of the server. */
  readonly type: string
  readonly title: string
  /** HTTP status. */
  readonly status: number
  readonly detail: string
  /** The wrong fields; empty if the problem is not about fields. */
  readonly errors: readonly FieldProblem[]
  /** The same as sentences, one for each fault. */
  readonly messages: readonly string[]
  /** Id of the request in the server's log. */
  readonly requestId: string | undefined
  /** Attempts of this call. */
  readonly attempts: number

  /** @param text - body of the response */
  constructor(response: Pick<Response, 'status' | 'statusText' | 'headers'>, text: string, attempts: number) {
    const { type, title, detail, errors, messages } = parseProblem(text)
    const description = typeof detail === 'string' ? detail : text.slice(0, 200) || response.statusText
    const faults = Array.isArray(messages) ? messages.filter(message => typeof message === 'string') : []
    super(`${response.status}: ${faults.join(' ') || description}`)
    this.type = typeof type === 'string' ? type : 'about:blank'
    this.title = typeof title === 'string' ? title : response.statusText
    this.status = response.status
    this.detail = description
    this.errors = Array.isArray(errors) ? (errors as readonly FieldProblem[]) : []
    this.messages = faults
    this.requestId = response.headers.get('x-request-id') ?? undefined
    this.attempts = attempts
  }
}

function parseProblem(text: string): ProblemBody {
  try {
    return Object(JSON.parse(text)) as ProblemBody
  } catch {
    return {}
  }
}

/**
 * No complete answer came: the connection failed, or the time was over. The server may or may not have applied the call.
 * Repeating it with the same `idempotencyKey` is safe.
 */
export class NotifUnreachable extends Error {
  override readonly name = 'NotifUnreachable'
  readonly attempts: number
  /** True if the time was over, false if the connection failed. */
  readonly timedOut: boolean
  /** Pass it to repeat this call; undefined for calls that only read. */
  readonly idempotencyKey: string | undefined

  constructor(
    what: string,
    options: {
      readonly attempts: number
      readonly timedOut: boolean
      readonly idempotencyKey: string | undefined
      readonly cause: unknown
    }
  ) {
    const { attempts, timedOut, idempotencyKey, cause } = options
    const why = timedOut ? 'the time was over' : causeMessage(cause)
    super(`${what} was not answered: ${why} (${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}).`, {
      cause
    })
    this.attempts = attempts
    this.timedOut = timedOut
    this.idempotencyKey = idempotencyKey
  }
}

/** The error of fetch() says only that it failed; its `cause` says why. */
function causeMessage(error: unknown): string {
  const { cause, message } = Object(error) as { readonly cause?: unknown; readonly message?: unknown }
  const inner = (Object(cause) as { readonly message?: unknown }).message
  return String(inner || message || 'the connection failed')
}

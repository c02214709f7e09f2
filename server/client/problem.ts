// The two ways in which a call can fail: the server said no, or nobody knows what it said.

/** What is wrong with one field of a request. */
export interface FieldProblem {
  /** JSON pointer as URI fragment (RFC 6901, section 6), e.g. `#/to/email`. */
  readonly pointer: string
  readonly detail: string
}

interface ProblemBody {
  readonly type?: unknown
  readonly title?: unknown
  readonly detail?: unknown
  readonly errors?: unknown
  readonly messages?: unknown
}

/** An answer that is not 2xx, as RFC 9457 problem. Nothing was done. */
export class NotifProblem extends Error {
  override readonly name = 'NotifProblem'
  /** Which kind of problem, e.g. `/problems#invalid-request`; `about:blank` where somebody else answered, such as a proxy. */
  readonly type: string
  readonly title: string
  /** HTTP status. */
  readonly status: number
  readonly detail: string
  /** Each field that is wrong; empty where the problem is not about fields. */
  readonly errors: readonly FieldProblem[]
  /** The same in words, one text for each fault. */
  readonly messages: readonly string[]
  /** Names the request in the server's log. */
  readonly requestId: string | undefined
  /** How often it was asked. */
  readonly attempts: number

  /** @param text - body of the answer */
  constructor(answer: Pick<Response, 'status' | 'statusText' | 'headers'>, text: string, attempts: number) {
    const { type, title, detail, errors, messages } = bodyOf(text)
    const said = typeof detail === 'string' ? detail : text.slice(0, 200) || answer.statusText
    const faults = Array.isArray(messages) ? messages.filter(message => typeof message === 'string') : []
    super(`${answer.status}: ${faults.join(' ') || said}`)
    this.type = typeof type === 'string' ? type : 'about:blank'
    this.title = typeof title === 'string' ? title : answer.statusText
    this.status = answer.status
    this.detail = said
    this.errors = Array.isArray(errors) ? (errors as readonly FieldProblem[]) : []
    this.messages = faults
    this.requestId = answer.headers.get('x-request-id') ?? undefined
    this.attempts = attempts
  }
}

function bodyOf(text: string): ProblemBody {
  try {
    return Object(JSON.parse(text)) as ProblemBody
  } catch {
    return {}
  }
}

/**
 * No whole answer came: the connection failed, or the time was over. Whether the server did it is not known, but doing
 * it again with the same `idempotencyKey` is safe.
 */
export class NotifUnreachable extends Error {
  override readonly name = 'NotifUnreachable'
  readonly attempts: number
  /** Whether the time was over, rather than the connection broken. */
  readonly timedOut: boolean
  /** Of what changes something: repeats this very request. */
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
    const why = timedOut ? 'the time was over' : reasonOf(cause)
    super(`${what} was not answered: ${why} (${attempts} ${attempts === 1 ? 'try' : 'tries'}).`, { cause })
    this.attempts = attempts
    this.timedOut = timedOut
    this.idempotencyKey = idempotencyKey
  }
}

/** fetch() says only that it failed; its cause says why. */
function reasonOf(error: unknown): string {
  const { cause, message } = Object(error) as { readonly cause?: unknown; readonly message?: unknown }
  const inner = (Object(cause) as { readonly message?: unknown }).message
  return String(inner || message || 'the connection failed')
}

// The errors that a caller may see: RFC 9457 problems from one table.

/** Status and title of every problem; what to do about each: problems-page.ts. */
export const TITLES = {
  'invalid-json': [400, 'The request body is not JSON.'],
  'invalid-address': [400, 'The address is malformed.'],
  unauthorized: [401, 'The credentials are missing or wrong.'],
  forbidden: [403, 'These credentials may not do this.'],
  'not-found': [404, 'There is nothing at this address.'],
  'method-not-allowed': [405, 'This address does not know the method.'],
  conflict: [409, 'The state of the resource does not allow this.'],
  'body-too-large': [413, 'The request body is too large.'],
  'unsupported-encoding': [415, 'The body has an encoding that this server does not read.'],
  misdirected: [421, 'This server does not show this under that name.'],
  'invalid-request': [422, 'The request does not fit the schema.'],
  'idempotency-key-reused': [422, 'The idempotency key was used for another request.'],
  'rate-limited': [429, 'Too many requests.'],
  internal: [500, 'Something failed on our side.'],
  unavailable: [503, 'The server cannot take this now.'],
  'storage-full': [507, 'The database has no space left.']
} as const

export type ProblemSlug = keyof typeof TITLES

/** What is wrong with one field. `pointer` is a JSON pointer as URI fragment (RFC 6901, section 6). */
export interface FieldProblem {
  readonly pointer: string
  readonly detail: string
}

interface ProblemOptions {
  readonly errors?: readonly FieldProblem[]
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

/** The only error that a route throws on purpose. */
export class Problem extends Error {
  readonly slug: ProblemSlug
  readonly status: number
  readonly title: string
  readonly errors: readonly FieldProblem[]
  readonly headers: Readonly<Record<string, string>>

  constructor(slug: ProblemSlug, detail: string, { cause, errors = [], headers = {} }: ProblemOptions = {}) {
    super(detail, { cause })
    this.name = 'Problem'
    this.slug = slug
    this.status = TITLES[slug][0]
    this.title = TITLES[slug][1]
    this.errors = errors
    this.headers = headers
  }

  /**
   * The body of the answer. `message` and `messages` repeat the detail, because existing clients read those.
   *
   * @param prefix - path below which the server is reached
   */
  toBody(instance: string, prefix = ''): Readonly<Record<string, unknown>> {
    const messages =
      this.errors.length > 0 ? this.errors.map(e => `${e.pointer}: ${e.detail}`) : [this.message]
    return {
      type: `${prefix}/problems#${this.slug}`,
      title: this.title,
      status: this.status,
      detail: this.message,
      instance: `${prefix}${instance}`,
      ...(this.errors.length > 0 && { errors: this.errors }),
      message: messages.join(' '),
      messages
    }
  }
}

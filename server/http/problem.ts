// Problems (RFC 9457): the errors that clients get, from one table, and the problem for each other thrown error.

import { classifyFailure } from '../db/failure.ts'

/** Status and title of every problem. reference/problems.ts says what to do about each. */
export const TITLES = {
  'invalid-json': [400, 'The request body is not JSON.'],
  'invalid-address': [400, 'The address is malformed.'],
  unauthorized: [401, 'The credentials are missing or wrong.'],
  forbidden: [403, 'These credentials may not do this.'],
  'not-found': [404, 'There is nothing at this address.'],
  'method-not-allowed': [405, 'The address does not support this method.'],
  conflict: [409, 'The state of the resource does not allow this.'],
  'precondition-failed': [412, 'The resource is not in the state that the request expects.'],
  'body-too-large': [413, 'The request body is too large.'],
  'unsupported-encoding': [415, 'The encoding of the body is not supported.'],
  misdirected: [421, 'The page is not shown under this host name.'],
  'invalid-request': [422, 'The request does not fit the schema.'],
  'idempotency-key-reused': [422, 'Another request used the idempotency key.'],
  'rate-limited': [429, 'Too many requests.'],
  internal: [500, 'The server failed to handle the request.'],
  unavailable: [503, 'The server cannot accept the request at the moment.'],
  'storage-full': [507, 'The database has no space left.']
} as const

export type ProblemSlug = keyof typeof TITLES

/** What is wrong with one field. `pointer` is a JSON pointer as URI fragment (RFC 6901, section 6). */
export interface FieldProblem {
  readonly pointer: string
  readonly detail: string
  /** Place of a fault in the text of a template, from 1. */
  readonly line?: number
  readonly column?: number
}

interface ProblemOptions {
  readonly errors?: readonly FieldProblem[]
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

export interface ProblemPart {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly errors?: readonly FieldProblem[]
}

/** The only error that routes throw intentionally. */
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
   * Returns the body of the answer. `message` and `messages` repeat the detail for legacy clients.
   *
   * @param prefix - path prefix of the server
   */
  toBody(instance: string, prefix = ''): Readonly<Record<string, unknown>> {
    const messages =
      this.errors.length > 0 ? this.errors.map(e => `${e.pointer}: ${e.detail}`) : [this.message]
    return {
      ...this.toPart(prefix),
      instance: `${prefix}${instance}`,
      message: messages.join(' '),
      messages
    }
  }

  /** Returns the problem of one part of a request, whose other parts succeeded. @param prefix - as in {@link toBody} */
  toPart(prefix = ''): ProblemPart {
    return {
      type: `${prefix}/problems#${this.slug}`,
      title: this.title,
      status: this.status,
      detail: this.message,
      ...(this.errors.length > 0 && { errors: this.errors })
    }
  }
}

const RETRY_IN_1_S = { headers: { 'retry-after': '1' } }
const RETRY_IN_5_S = { headers: { 'retry-after': '5' } }

const PROBLEMS = {
  unavailable: [
    'unavailable',
    'The database does not answer. Retry in 5 seconds, with the same Idempotency-Key.',
    RETRY_IN_5_S
  ],
  conflict: [
    'unavailable',
    'Other requests are changing the same data. Retry in a second, with the same Idempotency-Key.',
    RETRY_IN_1_S
  ],
  full: [
    'storage-full',
    'The database has no space left, so nothing was stored. Retry when the operator has made room.',
    RETRY_IN_5_S
  ],
  standby: [
    'unavailable',
    'The database is read-only at the moment. Retry in 5 seconds, with the same Idempotency-Key.',
    RETRY_IN_5_S
  ],
  unknown: ['internal', 'The request failed. Quote the instance when you report this.', {}],
  value: [
    'invalid-request',
    'A value cannot be stored: a number is out of range, or a text is not valid Unicode.',
    {}
  ]
} as const

export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  const [type, detail, options] = PROBLEMS[classifyFailure(error) ?? 'unknown']
  return new Problem(type, detail, { ...options, cause: error })
}

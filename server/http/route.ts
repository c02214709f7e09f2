// A route is a value: method, path, who may call it, and a function from call to answer.
// app.ts lists them all, so a test can walk every one of them with every wrong credential.

import type { IncomingHttpHeaders } from 'node:http'

import type { Environment } from '../config/environment.ts'
import type { Counted } from './rate-limits.ts'
import type { Doc } from './route-doc.ts'

/** anyone: no credentials. back-end: clientId:secret. user: clientId:userId:hash of the user in the path. admin: bearer token. */
export type AccessLevel = 'anyone' | 'back-end' | 'user' | 'admin'
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

interface BaseCall {
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  /** The parsed body; undefined where none was sent. Not yet validated: parse it with a schema. */
  readonly body: unknown
  /** Of the body, as it came. */
  readonly bytes: number
  /** sha256 of method, path, query and raw body: what an idempotency key stands for. */
  readonly fingerprint: Buffer
  /** Value of `Idempotency-Key`, already checked for length and characters. */
  readonly idempotencyKey: string | undefined
  readonly address: string
  /**
   * Aborts when the client has gone: what reads in steps ends early then. What writes goes on, since the client may have
   * lost only the line, and asks again under the same key; and what one statement reads has a time limit of its own.
   */
  readonly signal: AbortSignal
}

export interface BackEndCall extends BaseCall {
  readonly env: Environment
}
export interface UserCall extends BackEndCall {
  readonly userId: string
  readonly bucket: number
}
export interface CallOf {
  anyone: BaseCall
  'back-end': BackEndCall
  user: UserCall
  admin: BaseCall
}

/**
 * Writes a long answer piece by piece. `write` waits for a slow reader, and throws when there is none any more; `hangUp` makes
 * it so.
 */
export type Streamed = (
  write: (piece: string | Uint8Array) => Promise<void>,
  hangUp: () => void
) => Promise<void>

export interface Answer {
  readonly status: number
  /** An object is sent as JSON, a string as it is with the content type of `headers`; or {@link Streamed}. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface Route {
  readonly method: Method
  /** Express 5 path; environment routes start with `/:clientId`, user routes with `/:clientId/users/:userId`. */
  readonly path: string
  readonly who: AccessLevel
  handle(call: never): Promise<Answer>
  /** The body as its bytes: its sender speaks another language than JSON, or signs every byte. */
  readonly raw?: true
  /** Bytes of the body that are read: what is beyond is let pass. Default: a body above the limit is refused. */
  readonly head?: number
  /** Bytes of a body without the files in it, which have a limit of their own. Default: it has none. */
  readonly besidesFiles?: (body: unknown) => number
  /** What a call counts against the environment's limits. Default: a request. */
  readonly counts?: readonly Counted[]
  /** The path of which this one is another name; what is missing in it, the token says. See alias.ts. */
  readonly aliasOf?: string
  /** Absent for pages and files: every route that speaks JSON has one. */
  readonly doc?: Doc
}

type Handle<W extends AccessLevel> = (call: CallOf[W]) => Promise<Answer>

/** Types the call by who may make it. */
export function route<W extends AccessLevel>(method: Method, path: string, who: W, handle: Handle<W>): Route
export function route<W extends AccessLevel>(
  method: Method,
  path: string,
  who: W,
  doc: Doc,
  handle: Handle<W>
): Route
export function route<W extends AccessLevel>(
  method: Method,
  path: string,
  who: W,
  ...rest: [Handle<W>] | [Doc, Handle<W>]
): Route {
  if (rest.length === 1) return { handle: rest[0], method, path, who }
  const [doc, handle] = rest
  return { doc, handle, method, path, who }
}

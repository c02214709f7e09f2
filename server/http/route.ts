// Routes are values: method, path, access level, and a function from call to answer.
//
// app.ts lists all of them, so a test can walk every route with every wrong credential.

import type { IncomingHttpHeaders } from 'node:http'

import type { Environment } from '../config/environment-settings.ts'
import type { RateUnit } from './rate-limits.ts'
import type { Doc } from './route-doc.ts'
import type { OpenSession } from './session.ts'

/**
 * Who may call a route. `anyone`: no credentials. `back-end`: clientId:clientSecret. `user`: clientId:userId:userHash of the user in the
 * path, or a back end. `admin`: the bearer token of operators, or a member whose role may call it. `member`: the session of a member.
 */
export type AccessLevel = 'anyone' | 'back-end' | 'user' | 'admin' | 'member'
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

interface BaseCall {
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  /** The parsed JSON body, not validated yet; undefined if none was sent. */
  readonly body: unknown
  readonly bytes: number
  /** sha256 of method, path, query and raw body: identifies the request of an idempotency key. */
  readonly fingerprint: Buffer
  /** Value of `Idempotency-Key`, checked for length and characters. */
  readonly idempotencyKey: string | undefined
  readonly address: string
  /**
   * Aborts when the client disconnects, so that reads in several steps can end early. Writes continue: a client that lost its
   * connection repeats the request with the same idempotency key.
   */
  readonly signal: AbortSignal
}

export interface BackEndCall extends BaseCall {
  /** Who calls: `secret`, `key:` and the name of an API key, `user`, or the operator's name in the audit log. */
  readonly actor: string
  readonly env: Environment
  /** The caller may read sends, but no addresses: answers show them masked. */
  readonly masksAddresses: boolean
}
export interface UserCall extends BackEndCall {
  readonly userId: string
  readonly bucket: number
  /** Fingerprint of the credential of the user, for `isProofValid` of http/auth.ts; undefined for a back end. */
  readonly credential: string | undefined
}
export interface AdminCall extends BaseCall {
  /** Name of the caller in the audit log. */
  readonly operator: string
}
export interface MemberCall extends AdminCall {
  readonly session: OpenSession
}
export interface CallOf {
  anyone: BaseCall
  'back-end': BackEndCall
  user: UserCall
  admin: AdminCall
  member: MemberCall
}

/**
 * Writes a long answer in parts. `write` waits for a slow reader and throws if the client has disconnected. `close` disconnects the
 * client.
 */
export type Streamed = (
  write: (part: string | Uint8Array) => Promise<void>,
  close: () => void
) => Promise<void>

export interface Answer {
  readonly status: number
  /** An object is sent as JSON, a string or bytes unchanged with the content type of `headers`; or {@link Streamed}. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Values of `Set-Cookie`. */
  readonly cookies?: readonly string[]
}

/** Returns a body with the status 200. */
export const ok = (body: unknown): Answer => ({ body, status: 200 })

export interface Route {
  readonly method: Method
  /** Path pattern of Express 5; environment routes start with `/:clientId`, user routes with `/:clientId/users/:userId`. */
  readonly path: string
  readonly access: AccessLevel
  handle(call: never): Promise<Answer>
  /** The handler gets the body as bytes, because it is not JSON or is signed. */
  readonly raw?: true
  /** Bytes of the body that are kept; the rest is ignored. Default: a body above the limit is refused. */
  readonly head?: number
  /** Returns the bytes of a body without its inline files, which have a limit of their own. Default: no files. */
  readonly besidesFiles?: (body: unknown) => number
  /** Its path is tried first, because Express tries one after the other. No other path may match the same addresses. */
  readonly isFrequent?: true
  /** What a call counts against the limits of the environment. Default: a request. */
  readonly counts?: readonly RateUnit[]
  /** Returns how many calls a call with this body counts as. Default: one. */
  readonly countOf?: (body: unknown) => number
  /** The path that this alias stands for (legacy-addresses.ts). */
  readonly aliasOf?: string
  /** The API reference of a JSON route; absent for pages and files. */
  readonly doc?: Doc
}

type Handle<W extends AccessLevel> = (call: CallOf[W]) => Promise<Answer>

/** Creates a route whose call has the type of its access level. */
export function route<W extends AccessLevel>(
  method: Method,
  path: string,
  access: W,
  handle: Handle<W>
): Route
export function route<W extends AccessLevel>(
  method: Method,
  path: string,
  access: W,
  doc: Doc,
  handle: Handle<W>
): Route
export function route<W extends AccessLevel>(
  method: Method,
  path: string,
  access: W,
  ...rest: [Handle<W>] | [Doc, Handle<W>]
): Route {
  if (rest.length === 1) return { handle: rest[0], method, path, access }
  const [doc, handle] = rest
  return { doc, handle, method, path, access }
}

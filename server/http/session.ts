// Sessions as requests carry them: the cookie, and the proof that a page of this server made the request (CSRF).

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

import type { Config } from '../config/config.ts'
import type { Role } from '../config/oidc.ts'
import { sha256 } from '../core/hash.ts'
import { defineCookie } from './cookie.ts'
import { isCrossOrigin, isProvenOwn } from './own-origin.ts'
import { Problem } from './problem.ts'

export interface Member {
  readonly id: string
  readonly name: string
  readonly role: Role
  /** Name in the audit log. */
  readonly actor: string
}

/** A session that is valid now. */
export interface Session {
  readonly id: string
  readonly member: Member
  readonly expiresAt: Date
}

/** A session with the token that its pages send with every write. */
export interface OpenSession extends Session {
  readonly csrfToken: string
}

export interface Sessions {
  /**
   * @param cookie - value of the cookie
   * @returns undefined if no session has this value, or if it is ended, expired or its member blocked
   */
  find(cookie: string): Promise<Session | undefined>
}

type PublicUrl = Pick<Config, 'publicUrl'>

const cookie = defineCookie({ name: 'notif_session', pattern: /^[\w-]{43}$/, sameSite: 'Strict' })

/** The cookie of a session: its value is the only proof of it. */
export const { read: readSessionCookie, write: sessionCookie } = cookie

/** Computed from the cookie, which scripts cannot read and the database does not hold. */
export const csrfToken = (cookie: string): string =>
  createHmac('sha256', cookie).update('csrf').digest('base64url')

const isEqual = (a: string, b: string): boolean => timingSafeEqual(sha256(a), sha256(b))

/**
 * Refuses requests that a page of another origin could have caused: the browser adds the cookie to them.
 *
 * @throws Problem `forbidden`
 */
export function checkCsrf(
  { headers, method }: { readonly headers: IncomingHttpHeaders; readonly method: string },
  config: PublicUrl,
  cookie: string
): void {
  const isReading = method === 'GET' || method === 'HEAD'
  // A browser that opens an address that somebody typed sends `none`.
  const isTyped = isReading && headers['sec-fetch-site'] === 'none'
  if (isReading ? isCrossOrigin(headers, config) && !isTyped : !isProvenOwn(headers, config)) {
    throw new Problem('forbidden', 'With a session, only pages of this server may call this route.')
  }
  const token = headers['x-csrf-token']
  if (isReading || (typeof token === 'string' && isEqual(token, csrfToken(cookie)))) return
  throw new Problem(
    'forbidden',
    'X-CSRF-Token is missing or wrong. Send the csrfToken of GET /operators/session.'
  )
}

// Sessions as requests carry them: the cookie, and the proof that a page of this server made the request (CSRF).

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

import type { Config } from '../config/config.ts'
import type { Role } from '../config/oidc.ts'
import { sha256 } from '../core/hash.ts'
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

const NAME = 'notif_session'
/** Browsers accept a cookie with this prefix from this host alone, and only over TLS (RFC 6265bis, 4.1.3.2). */
const SECURE_NAME = `__Host-${NAME}`

/** The names under which a session may arrive. Behind https, another host of the domain could set the one without prefix. */
const acceptedNames = ({ publicUrl }: PublicUrl): readonly string[] => {
  if (publicUrl === undefined) return [SECURE_NAME, NAME]
  return publicUrl.startsWith('https:') ? [SECURE_NAME] : [NAME]
}

/** Returns the value of the session cookie; undefined if there is none. */
export function readSessionCookie(
  { cookie }: Pick<IncomingHttpHeaders, 'cookie'>,
  config: PublicUrl
): string | undefined {
  if (!cookie?.includes(NAME)) return undefined
  const pairs = new Map(
    cookie.split(';').map(pair => {
      const at = pair.indexOf('=')
      return [pair.slice(0, Math.max(at, 0)).trim(), pair.slice(at + 1).trim()] as const
    })
  )
  const value = acceptedNames(config)
    .map(name => pairs.get(name))
    .find(found => found !== undefined)
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined
}

const isSecure = ({ origin }: Pick<IncomingHttpHeaders, 'origin'>, { publicUrl }: PublicUrl): boolean =>
  (publicUrl ?? origin ?? '').startsWith('https:')

/** Returns the value of `Set-Cookie`. @param seconds - 0 deletes the cookie */
export function sessionCookie(
  headers: Pick<IncomingHttpHeaders, 'origin'>,
  config: PublicUrl,
  value: string,
  seconds: number
): string {
  const secure = isSecure(headers, config)
  const attributes = `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict`
  return `${secure ? SECURE_NAME : NAME}=${value}; ${attributes}${secure ? '; Secure' : ''}`
}

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

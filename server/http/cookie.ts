// Reads and writes cookies of this server, with the prefix that binds them to this host where it is reached by https.

import type { IncomingHttpHeaders } from 'node:http'

import type { Config } from '../config/config.ts'

type PublicUrl = Pick<Config, 'publicUrl'>

export interface CookieOptions {
  readonly name: string
  /** `Lax`: also sent when another site leads to this one. */
  readonly sameSite: 'Strict' | 'Lax'
  /** Form of the values that this server writes; others are ignored. */
  readonly pattern: RegExp
}

export interface Cookie {
  /** @returns undefined if the request has no value of the right form */
  read(headers: Pick<IncomingHttpHeaders, 'cookie'>, config: PublicUrl): string | undefined
  /** Returns the value of `Set-Cookie`. @param seconds - 0 deletes the cookie */
  write(
    headers: Pick<IncomingHttpHeaders, 'origin'>,
    config: PublicUrl,
    value: string,
    seconds: number
  ): string
}

/** Browsers accept a cookie with this prefix from this host alone, and only over TLS (RFC 6265bis, 4.1.3.2). */
const HOST_PREFIX = '__Host-'

/** The names under which a cookie may arrive. Behind https, another host of the domain could set the one without prefix. */
const acceptedNames = (name: string, { publicUrl }: PublicUrl): readonly string[] => {
  if (publicUrl === undefined) return [HOST_PREFIX + name, name]
  return publicUrl.startsWith('https:') ? [HOST_PREFIX + name] : [name]
}

const isSecure = ({ origin }: Pick<IncomingHttpHeaders, 'origin'>, { publicUrl }: PublicUrl): boolean =>
  (publicUrl ?? origin ?? '').startsWith('https:')

const parsePairs = (header: string): ReadonlyMap<string, string> =>
  new Map(
    header.split(';').map(pair => {
      const at = pair.indexOf('=')
      return [pair.slice(0, Math.max(at, 0)).trim(), pair.slice(at + 1).trim()] as const
    })
  )

export const defineCookie = ({ name, pattern, sameSite }: CookieOptions): Cookie => ({
  read({ cookie }, config) {
    if (!cookie?.includes(name)) return undefined
    const pairs = parsePairs(cookie)
    const value = acceptedNames(name, config)
      .map(accepted => pairs.get(accepted))
      .find(found => found !== undefined)
    return value !== undefined && pattern.test(value) ? value : undefined
  },
  write(headers, config, value, seconds) {
    const secure = isSecure(headers, config)
    const attributes = `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=${sameSite}`
    return `${secure ? HOST_PREFIX + name : name}=${value}; ${attributes}${secure ? '; Secure' : ''}`
  }
})

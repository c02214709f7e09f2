// Which pages of other origins may call the front-end routes, as each environment says.

import type { EnvironmentSettings } from '../config/environment.ts'

export const isAllowedOrigin = (settings: EnvironmentSettings, origin: string): boolean =>
  settings.origins.includes('*') || settings.origins.includes(origin)

const EXPOSED = 'Date, ETag, Retry-After, RateLimit, RateLimit-Policy, Idempotent-Replayed, X-Request-Id'

/**
 * Headers of an answer, errors too. An unknown environment lets any page read that it is unknown: no answer then
 * carries more than that.
 */
export function corsHeaders(
  settings: EnvironmentSettings | undefined,
  origin: string | undefined
): Readonly<Record<string, string>> {
  if (origin === undefined) return { vary: 'Origin' }
  if (settings === undefined || settings.origins.includes('*')) {
    return { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED }
  }
  if (!isAllowedOrigin(settings, origin)) return { vary: 'Origin' }
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': EXPOSED,
    vary: 'Origin'
  }
}

/** Headers of the answer to a preflight. `authorization` stands by name: `*` does not cover it. */
export const preflightHeaders = (methods: readonly string[]): Readonly<Record<string, string>> => ({
  'access-control-allow-headers': 'authorization, content-type, idempotency-key, if-none-match, x-request-id',
  'access-control-allow-methods': methods.join(', '),
  'access-control-max-age': '7200'
})

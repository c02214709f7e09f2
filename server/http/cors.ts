// CORS headers: which pages of other origins may call the front-end routes of an environment.

import type { EnvironmentSettings } from '../config/environment-settings.ts'

export const isAllowedOrigin = (settings: EnvironmentSettings, origin: string): boolean =>
  settings.origins.includes('*') || settings.origins.includes(origin)

const EXPOSED = 'Date, ETag, Retry-After, RateLimit, RateLimit-Policy, Idempotent-Replayed, X-Request-Id'

/**
 * Returns the CORS headers of an answer or error. Any page may read that an environment is unknown, because such an answer holds
 * nothing else.
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

/** Returns the headers of a preflight answer. `authorization` is listed by name, because `*` does not include it. */
export const preflightHeaders = (methods: readonly string[]): Readonly<Record<string, string>> => ({
  'access-control-allow-headers': 'authorization, content-type, idempotency-key, if-none-match, x-request-id',
  'access-control-allow-methods': methods.join(', '),
  'access-control-max-age': '7200'
})

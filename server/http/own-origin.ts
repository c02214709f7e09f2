// Says whether a browser made a request for a page of this server, by the headers that scripts cannot set.

import type { IncomingHttpHeaders } from 'node:http'

import type { Config } from '../config/config.ts'

type Headers = Pick<IncomingHttpHeaders, 'host' | 'origin' | 'sec-fetch-site'>

/** Behind a proxy with TLS, pages have an https origin although this server speaks http. */
const isOwnOrigin = (origin: string, host: string | undefined, publicUrl: string | undefined): boolean =>
  origin === `http://${host}` ||
  origin === `https://${host}` ||
  (publicUrl !== undefined && origin === new URL(publicUrl).origin)

/**
 * Whether a browser made this request for a page of another origin. Routes that need no credentials of their own would otherwise be
 * open to such pages.
 *
 * Browsers set Sec-Fetch-Site on https and on loopback addresses; elsewhere only Origin is there. Other programs set neither.
 */
export function isCrossOrigin(
  { host, origin, 'sec-fetch-site': site }: Headers,
  { publicUrl }: Pick<Config, 'publicUrl'>
): boolean {
  if (site !== undefined) return site !== 'same-origin'
  return origin !== undefined && !isOwnOrigin(origin, host, publicUrl)
}

/** Whether the headers prove that a page of this server made the request. */
export const isProvenOwn = (headers: Headers, config: Pick<Config, 'publicUrl'>): boolean =>
  (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined) && !isCrossOrigin(headers, config)

// Warns about a proxy that NOTIF_TRUSTED_PROXIES does not list: all its clients share one rate limit.

import type { RequestHandler } from 'express'

import type { Log } from '../core/log.ts'
import { createAddressClassifier } from '../outbound/address-policy.ts'

/**
 * Logs the warning once, and only for private addresses: from a public address, any client may send X-Forwarded-For.
 *
 * @param trusted - as in NOTIF_TRUSTED_PROXIES
 */
export function warnUntrustedProxy(trusted: readonly string[], log: Log): RequestHandler {
  const classify = createAddressClassifier(trusted)
  let hasWarned = false
  return (request, _response, next) => {
    const address = request.socket.remoteAddress ?? ''
    if (!hasWarned && request.headers['x-forwarded-for'] !== undefined && classify(address) === 'private') {
      hasWarned = true
      log.warn(
        { event: 'proxy_not_trusted', proxyAddress: address },
        'X-Forwarded-For ignored: add this proxy to NOTIF_TRUSTED_PROXIES, or all its clients share one rate limit'
      )
    }
    next()
  }
}

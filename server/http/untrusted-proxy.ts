// A proxy that no setting names: all for whom it asks share the limits of its address, and are told 429 before long.

import type { RequestHandler } from 'express'

import type { Log } from '../core/log.ts'
import { placeOf } from '../outbound/address-policy.ts'

/**
 * Says so once. Only of addresses inside, where proxies are: from outside anybody may write the header.
 *
 * @param trusted - as in NOTIF_TRUSTED_PROXIES
 */
export function tellUnknownProxy(trusted: readonly string[], log: Log): RequestHandler {
  const place = placeOf(trusted)
  let told = false
  return (request, _response, next) => {
    const address = request.socket.remoteAddress ?? ''
    if (!told && request.headers['x-forwarded-for'] !== undefined && place(address) === 'inside') {
      told = true
      log.warn(
        { address },
        'NOTIF_TRUSTED_PROXIES does not name this proxy: all whom it asks for share one limit'
      )
    }
    next()
  }
}

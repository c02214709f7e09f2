// The address of a client, behind trusted proxies, and its key for rate limits. A proxy that is not trusted is logged, because all
// its clients share one rate limit.

import type { IncomingMessage } from 'node:http'
import { isIPv6, type BlockList, type Socket } from 'node:net'

import type { RequestHandler } from 'express'

import { isInCidrList } from '../core/cidr.ts'
import type { Log } from '../core/log.ts'
import { createAddressClassifier } from '../outbound/address-policy.ts'

const unmapped = (address: string): string => (/^::ffff:[\d.]+$/i.test(address) ? address.slice(7) : address)

/** Returns the address at the other end of a connection: of a client or a proxy. */
export const socketAddress = (socket: Socket): string => unmapped(socket.remoteAddress ?? '')

/**
 * Returns the client's address: that of the socket or, behind trusted proxies, the last address of X-Forwarded-For that is not one
 * of these proxies.
 */
export function clientAddress(request: IncomingMessage, trusted: BlockList): string {
  let address = socketAddress(request.socket)
  const header = request.headers['x-forwarded-for']
  if (!header || !isInCidrList(trusted, address)) return address
  const hops = String(header)
    .split(',')
    .map(hop => unmapped(hop.trim()))
  while (hops.length > 0 && isInCidrList(trusted, address)) address = hops.pop()!
  return address
}

/** Returns the key that limits count by: an IPv4 address, or the /64 network of an IPv6 address, which one customer has. */
export function addressKey(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  if (tail === undefined) return groups.slice(0, 4).join(':')
  const after = tail.split(':')
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - after.length) }, () => '0')
  return [...groups, ...zeros, ...after].slice(0, 4).join(':')
}

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

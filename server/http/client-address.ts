// Whose address a request has, and what of it counts.

import type { IncomingMessage } from 'node:http'
import { isIPv6, type BlockList } from 'node:net'

import { isInCidrList } from '../core/cidr.ts'

/** IPv4 addresses on an IPv6 socket are written as such. */
const plain = (address: string): string => (/^::ffff:[\d.]+$/i.test(address) ? address.slice(7) : address)

/**
 * Where a request comes from: the socket's address, or the last address of X-Forwarded-For that no trusted proxy
 * has written about itself.
 */
export function addressOf(request: IncomingMessage, trusted: BlockList): string {
  let address = plain(request.socket.remoteAddress ?? '')
  const header = request.headers['x-forwarded-for']
  if (!header || !isInCidrList(trusted, address)) return address
  const hops = String(header)
    .split(',')
    .map(hop => plain(hop.trim()))
  while (hops.length > 0 && isInCidrList(trusted, address)) address = hops.pop()!
  return address
}

/** What a limit counts by: an IPv4 address, or the /64 network that one IPv6 customer has. */
export function addressKey(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  if (tail === undefined) return groups.slice(0, 4).join(':')
  const after = tail.split(':')
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - after.length) }, () => '0')
  return [...groups, ...zeros, ...after].slice(0, 4).join(':')
}

// Limits by address: whose address a request has, and how many front-end requests one address may make.

import type { IncomingMessage } from 'node:http'
import { BlockList, isIPv6 } from 'node:net'

import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'

import { Problem } from './problem.ts'

/** @param entries - addresses or CIDRs; @throws Error for anything else */
export function addressList(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

/** IPv4 addresses on an IPv6 socket are written as such. */
const plain = (address: string): string => (/^::ffff:[\d.]+$/i.test(address) ? address.slice(7) : address)

const isIn = (list: BlockList, address: string): boolean => {
  try {
    return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
  } catch {
    return false
  }
}

/**
 * Where a request comes from: the socket's address, or the last address of X-Forwarded-For that no trusted proxy
 * has written about itself.
 */
export function addressOf(request: IncomingMessage, trusted: BlockList | undefined): string {
  let address = plain(request.socket.remoteAddress ?? '')
  const header = trusted && request.headers['x-forwarded-for']
  if (!trusted || !header) return address
  const hops = String(header)
    .split(',')
    .map(hop => plain(hop.trim()))
  while (hops.length > 0 && isIn(trusted, address)) address = hops.pop()!
  return address
}

/** What a limit counts by: an IPv4 address, or the /64 network that one IPv6 customer has. */
export function addressKey(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  if (tail === undefined) return groups.slice(0, 4).join(':')
  const after = tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - after.length) }, () => '0')
  return [...groups, ...zeros, ...after].slice(0, 4).join(':')
}

export interface RateLimit {
  /**
   * Counts one request.
   *
   * @returns headers that say how much is left
   * @throws Problem `rate-limited`
   */
  take(address: string): Promise<Readonly<Record<string, string>>>
}

/** @param perSecond - requests of one address in a second; kept in memory, for this process alone */
export function rateLimit(perSecond: number): RateLimit {
  const limiter = new RateLimiterMemory({ duration: 1, points: perSecond })
  const headers = (left: RateLimiterRes) => ({
    'ratelimit-limit': String(perSecond),
    'ratelimit-remaining': String(left.remainingPoints),
    'ratelimit-reset': String(Math.ceil(left.msBeforeNext / 1000))
  })
  return {
    async take(address) {
      try {
        return headers(await limiter.consume(addressKey(address)))
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused
        throw new Problem('rate-limited', `An address may make ${perSecond} requests a second.`, {
          headers: { ...headers(refused), 'retry-after': '1' }
        })
      }
    }
  }
}

// Which addresses are inside: everything that is not a public host of the Internet, unless the operator opened it.

import { isIP } from 'node:net'

import { cidrList, isInCidrList } from '../core/cidr.ts'

/** The IANA registries of special-purpose addresses (RFC 6890 and after), and what carries an IPv4 address in an IPv6 one. */
const SPECIAL = cidrList([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20'
])

/**
 * Where hosts are: of IPv6 an eighth (RFC 4291, 2.4). In the rest are the networks of one's own, and ways to IPv4 through
 * whatever translates: NAT64, `::ffff:0:a.b.c.d` and those that nobody has thought of yet.
 */
const GLOBAL = cidrList(['0.0.0.0/0', '2000::/3'])

export type Place = 'public' | 'opened' | 'inside'

/**
 * @param opened - addresses and CIDRs that the operator opened
 * @returns where an address leads; what is no address leads inside
 */
export function placeOf(opened: readonly string[]): (address: string) => Place {
  const open = cidrList(opened)
  return scoped => {
    const [address = ''] = scoped.split('%', 1)
    if (isIP(address) === 0) return 'inside'
    if (isInCidrList(open, address)) return 'opened'
    return isInCidrList(GLOBAL, address) && !isInCidrList(SPECIAL, address) ? 'public' : 'inside'
  }
}

// Classifies addresses: public hosts of the Internet, addresses that the operator allowed, and all others, which are private.

import { isIP } from 'node:net'

import { cidrList, isInCidrList } from '../core/cidr.ts'

/** The IANA registries of special-purpose addresses (RFC 6890), and IPv6 ranges that contain IPv4 addresses. */
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
 * Ranges of public hosts: all of IPv4, and 2000::/3 of IPv6 (RFC 4291, 2.4). The rest of IPv6 holds private networks and
 * translations to IPv4, such as NAT64 and `::ffff:0:a.b.c.d`.
 */
const GLOBAL = cidrList(['0.0.0.0/0', '2000::/3'])

export type AddressClass = 'public' | 'allowed' | 'private'

/**
 * @param allowed - addresses and CIDRs of NOTIF_ALLOW_PRIVATE
 * @returns a function that classifies an address; text that is no address counts as private
 */
export function createAddressClassifier(allowed: readonly string[]): (address: string) => AddressClass {
  const allowedList = cidrList(allowed)
  return scoped => {
    const [address = ''] = scoped.split('%', 1)
    if (isIP(address) === 0) return 'private'
    if (isInCidrList(allowedList, address)) return 'allowed'
    return isInCidrList(GLOBAL, address) && !isInCidrList(SPECIAL, address) ? 'public' : 'private'
  }
}

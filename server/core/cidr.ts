// Lists of addresses and CIDR ranges.

import { BlockList, isIPv6 } from 'node:net'

/** @param entries - addresses or CIDRs. @throws Error for anything else */
export function cidrList(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

/** @returns false for text that is no address. `BlockList` matches ::ffff:a.b.c.d with IPv4 ranges. */
export const isInCidrList = (list: BlockList, address: string): boolean =>
  list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')

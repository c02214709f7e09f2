// Checks the Host header of the demo, which needs no credentials, against DNS rebinding.
//
// Any website can let a name of its own resolve to this machine. A browser then treats the demo as part of that website, and lets
// its pages read the demo.

import { isIP } from 'node:net'

import type { Config } from '../config/config.ts'

/** @param host - the Host header. @returns false if the name may be the result of DNS rebinding */
export type HostCheck = (host: string | undefined) => boolean

/** Detail of the problem for other names. */
export const HOST_REFUSED_DETAIL =
  'Without a password this page is shown only at localhost, at IP addresses and at the names in HOST and NOTIF_PUBLIC_URL. ' +
  'If this name is yours, set NOTIF_PUBLIC_URL to an address with this name, and NOTIF_DEMO=1.'

/** Returns the name without port, brackets and the dot of a fully qualified name. */
const hostName = (host: string): string | undefined =>
  URL.parse(`http://${host}`)?.hostname.replace(/^\[|\]$|\.$/g, '')

/** IP addresses and localhost do not depend on DNS. */
const needsNoDns = (name: string): boolean => isIP(name) !== 0 || /^(?:.+\.)?localhost$/.test(name)

/** Accepts names that need no DNS, and the names in HOST and NOTIF_PUBLIC_URL. */
export function createHostCheck({ host, publicUrl }: Pick<Config, 'host' | 'publicUrl'>): HostCheck {
  const ownNames = new Set([hostName(host), publicUrl && hostName(new URL(publicUrl).host)])
  return host => {
    const name = hostName(host ?? '')
    return name !== undefined && (needsNoDns(name) || ownNames.has(name))
  }
}

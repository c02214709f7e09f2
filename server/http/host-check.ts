// Under which names the demo is shown: it asks nobody for credentials, and any page can have a name of its own lead to
// this machine (DNS rebinding). A browser takes what answers there for a part of that page, and lets it read.

import { isIP } from 'node:net'

import type { Config } from '../config/config.ts'

/** @param host - as in the header of that name. @returns false where a browser may have been led here */
export type NameCheck = (host: string | undefined) => boolean

/** What is said under other names. */
export const ELSEWHERE =
  'Without a password this is shown at localhost, at addresses of numbers and at the names in HOST and NOTIF_PUBLIC_URL ' +
  'only. If this name is yours, set NOTIF_PUBLIC_URL to the address that starts with it, and NOTIF_DEMO=1.'

/** A dot at the end says that the name is whole. */
const nameOf = (host: string): string | undefined =>
  URL.parse(`http://${host}`)?.hostname.replace(/^\[|\]$|\.$/g, '')

/** No DNS says where these lead: addresses of numbers, and what browsers take for their own machine. */
const isFixed = (name: string): boolean => isIP(name) !== 0 || /^(?:.+\.)?localhost$/.test(name)

/** Beside those that are fixed, the names that the operator gives to the server. */
export function checkName({ host, publicUrl }: Pick<Config, 'host' | 'publicUrl'>): NameCheck {
  const given = new Set([nameOf(host), publicUrl && nameOf(new URL(publicUrl).host)])
  return said => {
    const name = nameOf(said ?? '')
    return name !== undefined && (isFixed(name) || given.has(name))
  }
}

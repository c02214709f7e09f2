// Under which names the demo is shown: it asks nobody for credentials, and any page can have a name of its own lead to
// this machine (DNS rebinding). A browser takes what answers there for a part of that page, and lets it read.

import { isIP } from 'node:net'

import type { Config } from '../config.ts'
import { Problem } from '../http/problem.ts'

/** @param host - as in the header of that name. @throws Problem where a browser may have been led here */
export type NameCheck = (host: string | undefined) => void

const nameOf = (host: string): string | undefined =>
  URL.parse(`http://${host}`)?.hostname.replace(/^\[|\]$/g, '')

/** No DNS says where these lead: addresses of numbers, and what browsers take for their own machine. */
const isFixed = (name: string): boolean => isIP(name) !== 0 || /^(?:.+\.)?localhost$/.test(name)

/** Beside those that are fixed, the names that the operator gives to the server. */
export function checkName({ host, publicUrl }: Pick<Config, 'host' | 'publicUrl'>): NameCheck {
  const given = new Set([nameOf(host), publicUrl && nameOf(new URL(publicUrl).host)])
  return said => {
    const name = nameOf(said ?? '')
    if (name !== undefined && (isFixed(name) || given.has(name))) return
    throw new Problem(
      'misdirected',
      'This needs no password, so it is shown at localhost and at addresses of numbers only. If this name is yours, set ' +
        'NOTIF_PUBLIC_URL to the address that starts with it, and NOTIF_DEMO=1.'
    )
  }
}

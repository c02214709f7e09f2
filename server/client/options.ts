// What every client has: an address, a way to say who it is, and patience.

import { openInsist, type Insist, type Patience } from './call.ts'

const PATIENCE: Required<Patience> = { attemptTimeout: 10_000, retries: 5, timeout: 30_000 }

/** @param authorization - the header that says who it is */
export function openLine(
  authorization: string,
  base: string,
  settings: Patience & { readonly fetch?: typeof globalThis.fetch }
): Insist {
  const { attemptTimeout, retries, timeout } = { ...PATIENCE, ...defined(settings) }
  return openInsist({
    authorization,
    base,
    // Some runtimes want it called as a function of nobody, not of an object.
    fetch: settings.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    patience: { attemptTimeout, retries, timeout }
  })
}

const defined = (settings: Patience): Patience =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))

/** @throws TypeError */
export function baseOf(baseURL: string): string {
  const { protocol, href, search, hash } = new URL(baseURL)
  if (!/^https?:$/.test(protocol) || search !== '' || hash !== '') {
    throw new TypeError(`Expected an http or https address without query, not ${baseURL}.`)
  }
  return href.replace(/\/+$/, '')
}

// Serves below a path prefix, if NOTIF_PUBLIC_URL has one. A proxy may remove the prefix from requests or keep it.

import type { IncomingMessage, Server } from 'node:http'

/** @returns `/notif` for `https://example.com/notif/`, or `''` if the address has no path */
export const pathPrefix = (publicUrl: string | undefined): string =>
  publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/+$/, '')

export const withoutTrailingSlash = (publicUrl: string): string => publicUrl.replace(/\/+$/, '')

/** Removes the prefix from requests and upgrades. Called after all other listeners are registered, so that it runs before them. */
export function stripPathPrefix(server: Server, prefix: string): void {
  if (prefix === '') return
  const shorten = (request: IncomingMessage): void => {
    const { url = '' } = request
    if (!url.startsWith(prefix)) return
    const rest = url.slice(prefix.length)
    if (rest === '' || rest.startsWith('?')) request.url = `/${rest}`
    else if (rest.startsWith('/')) request.url = rest
  }
  server.prependListener('request', shorten)
  // Without another listener nothing serves upgrades, and Node must not see one here.
  if (server.listenerCount('upgrade') > 0) server.prependListener('upgrade', shorten)
}

// A server below a path of its host, as NOTIF_PUBLIC_URL says: a proxy in front may leave the path on or take it off.

import type { IncomingMessage, Server } from 'node:http'

/** `/notif` of `https://example.com/notif/`; `''` where the server has the host for itself. */
export const prefixOf = (publicUrl: string | undefined): string =>
  publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/+$/, '')

/** To which paths are added: without a slash at its end. */
export const baseOf = (publicUrl: string): string => publicUrl.replace(/\/+$/, '')

/** Call it after all others have begun to listen: what they see has no prefix. */
export function takeOff(server: Server, prefix: string): void {
  if (prefix === '') return
  const shorten = (request: IncomingMessage): void => {
    const { url = '' } = request
    if (!url.startsWith(prefix)) return
    const rest = url.slice(prefix.length)
    if (rest === '' || rest.startsWith('?')) request.url = `/${rest}`
    else if (rest.startsWith('/')) request.url = rest
  }
  server.prependListener('request', shorten)
  // Where nobody else listens, an upgrade is for nobody: it must not look as if it were.
  if (server.listenerCount('upgrade') > 0) server.prependListener('upgrade', shorten)
}

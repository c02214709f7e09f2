// Checks the address of the dashboard that a sign-in leads to, so that no link leads to another site.

const DASHBOARD = '/admin'

/** Its paths, and everything that could be read as the beginning of another address is not among them. */
const isDashboard = (path: string): boolean => path === DASHBOARD || path.startsWith(`${DASHBOARD}/`)

/**
 * @param text - path of a page, with query and fragment; also with the path prefix of the server
 * @returns the path without prefix; `/admin` for everything that is no page of the dashboard
 */
export function toReturnPath(text: string | null, prefix: string): string {
  if (text === null || !text.startsWith('/')) return DASHBOARD
  const base = 'http://dashboard.invalid'
  const url = URL.parse(text, base)
  if (url?.origin !== base) return DASHBOARD
  const path = url.pathname.startsWith(`${prefix}/`) ? url.pathname.slice(prefix.length) : url.pathname
  return isDashboard(path) ? path + url.search + url.hash : DASHBOARD
}

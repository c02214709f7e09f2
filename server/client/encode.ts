// Texts as they stand in headers and addresses, without any runtime's own encoders.

const utf8 = new TextEncoder()

export const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))

/** Value of an Authorization header (RFC 7617, UTF-8). */
export const basic = (clientId: string, clientSecret: string): string =>
  `Basic ${base64(utf8.encode(`${clientId}:${clientSecret}`))}`

/**
 * base64(HMAC-SHA256(key = client secret, message = user id)): what a page shows to prove that your back-end knows its
 * user.
 */
export async function userHash(clientSecret: string, userId: string): Promise<string> {
  const algorithm = { hash: 'SHA-256', name: 'HMAC' }
  const key = await crypto.subtle.importKey('raw', utf8.encode(clientSecret), algorithm, false, ['sign'])
  return base64(new Uint8Array(await crypto.subtle.sign('HMAC', key, utf8.encode(userId))))
}

/**
 * A path, each part percent-encoded.
 *
 * @throws TypeError for parts that an address cannot hold: empty ones, and `.` and `..`, which would name another path
 */
export function path(...parts: readonly string[]): string {
  return parts.map(encoded).join('')
}

function encoded(part: string): string {
  if (part === '' || part === '.' || part === '..') {
    throw new TypeError(`The id ${JSON.stringify(part)} cannot stand in an address.`)
  }
  return `/${encodeURIComponent(part)}`
}

type Value = string | number | boolean | undefined

export type Query = { readonly [name: string]: Value }

/** What is undefined is left out. */
export function query(values: Query = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) search.append(name, String(value))
  }
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}

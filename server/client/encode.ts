// Encodes texts for headers and addresses with web standards only, so that every runtime can use it.

const utf8 = new TextEncoder()

export const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))

/** Value of an Authorization header (RFC 7617, UTF-8). */
export const basic = (clientId: string, clientSecret: string): string =>
  `Basic ${base64(utf8.encode(`${clientId}:${clientSecret}`))}`

/** @returns base64(HMAC-SHA256(key, message)) */
async function hmac(key: string, message: string): Promise<string> {
  const algorithm = { hash: 'SHA-256', name: 'HMAC' }
  const imported = await crypto.subtle.importKey('raw', utf8.encode(key), algorithm, false, ['sign'])
  return base64(new Uint8Array(await crypto.subtle.sign('HMAC', imported, utf8.encode(message))))
}

/** @returns base64(HMAC-SHA256(key = client secret, message = user id)) */
export const userHash = (clientSecret: string, userId: string): Promise<string> => hmac(clientSecret, userId)

/** @returns `whsec_` and base64(HMAC-SHA256(key = client secret, message = `notif-kit/webhook`)) */
export const webhookSecret = async (clientSecret: string): Promise<string> =>
  `whsec_${await hmac(clientSecret, 'notif-kit/webhook')}`

/**
 * @returns the segments, each percent-encoded and preceded by a slash
 * @throws TypeError for an empty segment, and for `.` and `..`, which would name another path
 */
export function path(...segments: readonly string[]): string {
  return segments.map(encodeSegment).join('')
}

function encodeSegment(segment: string): string {
  if (segment === '' || segment === '.' || segment === '..') {
    throw new TypeError(`The id ${JSON.stringify(segment)} cannot be part of an address.`)
  }
  return `/${encodeURIComponent(segment)}`
}

export type Query = { readonly [name: string]: string | number | boolean | undefined }

/** Leaves out values that are undefined. */
export function query(values: Query = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) search.append(name, String(value))
  }
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}

// Reads the payload of a push message. The format is also that of the hosted product; any other text becomes the body.

interface PushMessage {
  readonly title: string
  readonly message?: string
  readonly icon?: string
  /** A message with the same tag replaces the notification that is shown. */
  readonly tag?: string
  /** Tags of notifications to close, because the user has read them. */
  readonly close?: readonly unknown[]
  /** Address that a click opens; a path belongs to this site. */
  readonly url?: string
}

/** Default title. Browsers require a notification with a title for every push. */
const TITLE = 'Notification'

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>
  } catch {
    // The payload is not JSON, so the text itself is the body.
  }
  return { message: text }
}

/** @param data - payload of the push; undefined if it has none */
export function readMessage(data: string | undefined): PushMessage {
  const { body, close, icon, message, tag, title, url } = parse(data ?? '')
  const fields = Object.entries({ icon, message: isText(message) ? message : body, tag, title, url })
  return {
    title: TITLE,
    ...(Array.isArray(close) && { close: close as readonly unknown[] }),
    ...Object.fromEntries(fields.filter(([, value]) => isText(value)))
  }
}

/**
 * Returns the http or https address that a click opens, on this site or another.
 *
 * @param site - origin of the worker
 * @returns undefined if `url` is not such an address
 */
export function toPageAddress(url: unknown, site: string): string | undefined {
  if (!isText(url) || !URL.canParse(url, site)) return undefined
  const { href, password, protocol, username } = new URL(url, site)
  // `https://bank.example@evil` looks like an address of the bank.
  if (username + password !== '') return undefined
  return protocol === 'https:' || protocol === 'http:' ? href : undefined
}

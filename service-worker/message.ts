// What a push says: our payload, which is also what the worker of the hosted product reads, or whatever else comes.

interface PushMessage {
  readonly title: string
  readonly message?: string
  readonly icon?: string
  /** A message with the same tag replaces the one that is shown. */
  readonly tag?: string
  /** Where a click leads; a path is of this site. */
  readonly url?: string
}

/** A browser asks for a notification at every push, so there is always a title. */
const TITLE = 'Notification'

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>
  } catch {
    // No JSON: the text itself is what somebody wants to say.
  }
  return { message: text }
}

/** @param data - of the push; undefined where it brought none */
export function readMessage(data: string | undefined): PushMessage {
  const { body, icon, message, tag, title, url } = parse(data ?? '')
  const said = Object.entries({ icon, message: isText(message) ? message : body, tag, title, url })
  return { title: TITLE, ...Object.fromEntries(said.filter(([, value]) => isText(value))) }
}

/**
 * Where a click may lead: a page, on this site or another.
 *
 * @param site - origin of the worker
 * @returns undefined where there is nowhere to go
 */
export function pageOf(url: unknown, site: string): string | undefined {
  if (!isText(url) || !URL.canParse(url, site)) return undefined
  const { href, protocol } = new URL(url, site)
  return protocol === 'https:' || protocol === 'http:' ? href : undefined
}

// Which addresses may stand behind a link or a picture that somebody else will follow or load.

/** Longest address, in UTF-16 units. */
export const LINK_LIMIT = 4096

const SITE = 'https://site.invalid'

// A browser drops tabs and line breaks inside an address before it reads the scheme; a backslash becomes a slash.
const HIDDEN = /[\p{Cc}\p{Cf}\p{Z}\\]/u

const LINK_SCHEMES = ['http:', 'https:', 'mailto:']
const IMAGE_SCHEMES = ['http:', 'https:']

/** http(s), mailto, or a path of the same site, which starts with one `/`, with `?` or with `#`. */
export const isSafeLink = (text: string): boolean => isAddress(text, LINK_SCHEMES)

/** http(s), or a path of the same site. */
export const isSafeImage = (text: string): boolean => isAddress(text, IMAGE_SCHEMES)

/** Whether a link can become a safe one that begins with the text; the rest is known only when it is rendered. */
export const mayBecomeLink = (beginning: string): boolean => mayBecome(beginning, LINK_SCHEMES)
export const mayBecomeImage = (beginning: string): boolean => mayBecome(beginning, IMAGE_SCHEMES)

function mayBecome(beginning: string, schemes: readonly string[]): boolean {
  const text = beginning.trimStart()
  if (/[\p{Cc}\p{Cf}\\]/u.test(text) || text.startsWith('//')) return false
  const [scheme] = /^[^/?#:]*:/.exec(text) ?? []
  return scheme === undefined || schemes.includes(scheme.toLowerCase())
}

function isAddress(text: string, schemes: readonly string[]): boolean {
  if (text.length > LINK_LIMIT || HIDDEN.test(text)) return false
  if (/^[/?#]/.test(text)) return !text.startsWith('//') && URL.parse(text, SITE)?.origin === SITE
  const url = URL.parse(text)
  if (!url || !schemes.includes(url.protocol)) return false
  // `https:evil` and `https:/evil` are read as hosts by browsers and as paths by people.
  return url.protocol === 'mailto:' || /^https?:\/\/[^/]/i.test(text)
}

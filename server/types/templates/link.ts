// Checks addresses of links and images that a user will open or load.

/** In UTF-16 code units. */
export const MAX_LINK_CHARACTERS = 4096

const SITE = 'https://site.invalid'

// Browsers remove tabs and line breaks from an address before they read its scheme, and read a backslash as a slash.
const HIDDEN_CHARACTERS = /[\p{Cc}\p{Cf}\p{Z}\\]/u

const LINK_SCHEMES = ['http:', 'https:', 'mailto:']
const IMAGE_SCHEMES = ['http:', 'https:']

/** Accepts http(s) without a user name, mailto, and paths of the same site, which start with one `/`, with `?` or with `#`. */
export const isSafeLink = (text: string): boolean => isAddress(text, LINK_SCHEMES)

/** Accepts http(s) without a user name, and paths of the same site. */
export const isSafeImage = (text: string): boolean => isAddress(text, IMAGE_SCHEMES)

/** Whether a link with this beginning can be safe; the rest is known after rendering. */
export const mayBecomeLink = (beginning: string): boolean => mayBecome(beginning, LINK_SCHEMES)
export const mayBecomeImage = (beginning: string): boolean => mayBecome(beginning, IMAGE_SCHEMES)

function mayBecome(beginning: string, schemes: readonly string[]): boolean {
  const text = beginning.trimStart()
  if (/[\p{Cc}\p{Cf}\\]/u.test(text) || text.startsWith('//')) return false
  const [scheme] = /^[^/?#:]*:/.exec(text) ?? []
  return scheme === undefined || schemes.includes(scheme.toLowerCase())
}

function isAddress(text: string, schemes: readonly string[]): boolean {
  if (text.length > MAX_LINK_CHARACTERS || HIDDEN_CHARACTERS.test(text)) return false
  if (/^[/?#]/.test(text)) return !text.startsWith('//') && URL.parse(text, SITE)?.origin === SITE
  const url = URL.parse(text)
  if (!url || !schemes.includes(url.protocol)) return false
  // `https://bank.example@evil` looks like an address of the bank.
  if (url.username !== '' || url.password !== '') return false
  // Browsers read `https:evil` and `https:/evil` as hosts, people read them as paths.
  return url.protocol === 'mailto:' || /^https?:\/\/[^/]/i.test(text)
}

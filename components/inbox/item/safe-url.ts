// Links and pictures come from senders: only schemes that cannot run anything pass.

const LINKS: readonly string[] = ['http:', 'https:', 'mailto:']
const PICTURES: readonly string[] = ['http:', 'https:']

// The URL parser drops tabs and line breaks as a browser does, so it sees the scheme that the browser would.
function pass(url: string | undefined, schemes: readonly string[]): string | undefined {
  if (!url || !URL.canParse(url, document.baseURI)) return undefined
  return schemes.includes(new URL(url, document.baseURI).protocol) ? url : undefined
}

/** The address if it may be followed: http(s), mailto, or a path of the same site. */
export const safeUrl = (url: string | undefined): string | undefined => pass(url, LINKS)

/** The address if it may be shown as a picture: http(s) or a path of the same site. */
export const safePicture = (url: string | undefined): string | undefined => pass(url, PICTURES)

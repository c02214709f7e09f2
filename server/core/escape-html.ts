// Text into HTML.

const SIGNS: Readonly<Record<string, string>> = {
  '"': '&#34;',
  '&': '&amp;',
  "'": '&#39;',
  '<': '&lt;',
  '>': '&gt;'
}

/**
 * Only what would be markup: for clients that put a text into their page as HTML, and for others that show it as it comes.
 * An `&` that begins no entity stays, and so do quotes.
 */
export const escapeMarkup = (text: string): string =>
  text
    .replaceAll(/&(?=[a-z#])/gi, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')

/** Safe as text and inside a quoted attribute. */
export const escapeHtml = (text: string): string =>
  /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, sign => SIGNS[sign]!) : text

// Text into HTML.

const SIGNS: Readonly<Record<string, string>> = {
  '"': '&#34;',
  '&': '&amp;',
  "'": '&#39;',
  '<': '&lt;',
  '>': '&gt;'
}

/** Safe as text and inside a quoted attribute. */
export const escapeHtml = (text: string): string =>
  /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, sign => SIGNS[sign]!) : text

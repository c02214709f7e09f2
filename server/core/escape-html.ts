// Escapes text for HTML.

const ENTITIES: Readonly<Record<string, string>> = {
  '"': '&#34;',
  '&': '&amp;',
  "'": '&#39;',
  '<': '&lt;',
  '>': '&gt;'
}

/**
 * Escapes only characters that begin markup, because some clients insert the text as HTML and others show it as plain text.
 * Quotes and an `&` that begins no entity stay as they are.
 */
export const escapeMarkup = (text: string): string =>
  text
    .replaceAll(/&(?=[a-z#])/gi, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')

export const escapeHtml = (text: string): string =>
  /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, character => ENTITIES[character]!) : text

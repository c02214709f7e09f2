// Escapes parameters in a message to Slack, so that they cannot mention a whole channel or disguise a link.
//
// https://api.slack.com/reference/surfaces/formatting#escaping

const escapeSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Addresses contain no markup, so Slack does not unescape them. */
export const unescapeSlack = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/** Escapes the texts of all members, at any depth. Names are not changed. */
export const escapeSlackValues = <T extends object>(values: T): T => escapeValue(values) as T

const escapeValue = (value: unknown): unknown => {
  if (typeof value === 'string') return escapeSlack(value)
  if (Array.isArray(value)) return value.map(escapeValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, escapeValue(member)]))
}

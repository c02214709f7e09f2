// Values that stand in a message to Slack: a comment may not call the whole channel, or hide where a link leads.

/** The three characters that mean something to Slack, as its formatting rules have it. */
const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** In an address nothing is markup. */
export const plain = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

const quietly = (value: unknown): unknown => {
  if (typeof value === 'string') return escape(value)
  if (Array.isArray(value)) return value.map(quietly)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, quietly(member)]))
}

/** All texts within, escaped; names stay as they are. */
export const quiet = <T extends object>(values: T): T => quietly(values) as T

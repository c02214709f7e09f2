// Parses instants as clients write them: ISO 8601 in any precision, in UTC if it names no zone, or Unix time.

const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?) ?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i

/** No form of an instant is longer, and the patterns stay fast below this length. */
const MAX_CHARACTERS = 64

/** @returns milliseconds since 1970, or undefined for text that names no instant between the years 1 and 9999 */
export function parseInstant(text: string): number | undefined {
  if (text.length > MAX_CHARACTERS) return undefined
  const trimmed = text.trim()
  if (/^-?\d{9,15}$/.test(trimmed)) return within(Number(trimmed))
  // The plus sign of an offset arrives as a space if a client does not encode it in a query.
  const [, date, time = '00:00', zone = 'Z'] =
    ISO.exec(trimmed.replace(/(T.*\d) (\d\d:?\d\d)$/, '$1+$2')) ?? []
  // `Date.parse` reads 30 February as 2 March.
  if (date === undefined || !isDay(date)) return undefined
  const offset = zone.length === 3 ? `${zone}:00` : zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2').toUpperCase()
  // The server stores milliseconds.
  const clock = time.replace(',', '.').replace(/(\.\d{3})\d+$/, '$1')
  return within(Date.parse(`${date}T${clock}${offset}`))
}

const isDay = (date: string): boolean => {
  const ms = Date.parse(date)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date)
}

const FIRST = Date.parse('0001-01-01T00:00:00Z')
const LAST = Date.parse('9999-12-31T23:59:59.999Z')

const within = (ms: number): number | undefined => (ms >= FIRST && ms <= LAST ? ms : undefined)

/** Converts a Unix time in seconds or milliseconds, as legacy clients send it (spec/wire.md 4.3), to milliseconds. */
export const toMillis = (time: number): number => (Math.abs(time) < 1e11 ? time * 1000 : time)

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

/** Converts a Unix time in seconds or milliseconds, as legacy clients send it, to milliseconds. */
export const toMillis = (time: number): number => (Math.abs(time) < 1e11 ? time * 1000 : time)

const WRITTEN =
  /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d(?:[.,]\d{1,9})?)? ?(Z|UTC|[+-]\d\d(?::?\d\d)?)(?: [A-Z]{3,5}|\[[\w/+-]{1,50}\])?$/i

/**
 * Converts dates and times with an offset, as the standard libraries of several languages print them, to RFC 3339:
 *
 *     2026-01-02T10:00Z                        Java, which omits zero seconds
 *     2026-01-02T10:00:00+0100                 PHP's DATE_ISO8601
 *     2026-01-02T10:00+01:00[Europe/Berlin]    Java's ZonedDateTime (RFC 9557): the offset counts
 *     2026-01-02 10:00:00.5+01:00              Python's str(datetime)
 *     2026-01-02 10:00:00 +0100, … UTC         Ruby's Time#to_s
 *     2026-01-02 10:00:00 +0100 CET            Go's Time.String
 *
 * @returns the text unchanged if it has no offset or is no time, so that the schema refuses it
 */
export function toFullDateTime(text: string): string {
  const [, date, minutes, seconds = ':00', zone] = WRITTEN.exec(text.trim()) ?? []
  if (zone === undefined) return text
  const offset = /^[ZU]/i.test(zone)
    ? 'Z'
    : zone.replace(/^([+-]\d\d):?(\d\d)?$/, (_, h, m = '00') => `${h}:${m}`)
  return `${date}T${minutes}${seconds.replace(',', '.')}${offset}`
}

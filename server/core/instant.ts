// Instants as clients write them: ISO 8601 in all its precisions, without a zone (UTC then), or epoch milliseconds.

const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?) ?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i

/** No form of an instant is longer, and below it no pattern can take long. */
const LONGEST = 64

/** Milliseconds since 1970, or undefined for what names no instant between the years 1 and 9999. */
export function parseInstant(text: string): number | undefined {
  if (text.length > LONGEST) return undefined
  const trimmed = text.trim()
  if (/^-?\d{9,15}$/.test(trimmed)) return within(Number(trimmed))
  // An offset's plus sign that nobody encoded arrives as a space.
  const [, date, time = '00:00', zone = 'Z'] =
    ISO.exec(trimmed.replace(/(T.*\d) (\d\d:?\d\d)$/, '$1+$2')) ?? []
  // The engine would take 30 February for 2 March.
  if (date === undefined || !isDay(date)) return undefined
  const offset = zone.length === 3 ? `${zone}:00` : zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2').toUpperCase()
  // Beyond milliseconds there is nothing to keep.
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

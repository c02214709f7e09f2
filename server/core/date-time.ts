// Converts dates and times with an offset, as the standard libraries of several languages print them, to RFC 3339.
//
// Text without an offset, such as a local time or the name of a zone alone, stays unchanged, and the schema then refuses it.
//
//   2026-01-02T10:00Z                        Java, which omits zero seconds
//   2026-01-02T10:00:00+0100                 PHP's DATE_ISO8601
//   2026-01-02T10:00+01:00[Europe/Berlin]    Java's ZonedDateTime (RFC 9557): the offset counts
//   2026-01-02 10:00:00.5+01:00              Python's str(datetime)
//   2026-01-02 10:00:00 +0100, … UTC         Ruby's Time#to_s
//   2026-01-02 10:00:00 +0100 CET            Go's Time.String

const WRITTEN =
  /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d(?:[.,]\d{1,9})?)? ?(Z|UTC|[+-]\d\d(?::?\d\d)?)(?: [A-Z]{3,5}|\[[\w/+-]{1,50}\])?$/i

/** @returns the text unchanged if it has no offset or is no time */
export function toFullDateTime(text: string): string {
  const [, date, minutes, seconds = ':00', zone] = WRITTEN.exec(text.trim()) ?? []
  if (zone === undefined) return text
  const offset = /^[ZU]/i.test(zone)
    ? 'Z'
    : zone.replace(/^([+-]\d\d):?(\d\d)?$/, (_, h, m = '00') => `${h}:${m}`)
  return `${date}T${minutes}${seconds.replace(',', '.')}${offset}`
}

// A date and time as programs write them, in the one form of RFC 3339: what says its offset is understood, however its language
// prints it; what does not, such as a local time or the name of a zone alone, stays what it is and is refused.
//
//   2026-01-02T10:00Z                        Java, without seconds that are none
//   2026-01-02T10:00:00+0100                 PHP's DATE_ISO8601
//   2026-01-02T10:00+01:00[Europe/Berlin]    Java's ZonedDateTime (RFC 9557): the offset counts
//   2026-01-02 10:00:00.5+01:00              Python's str(datetime)
//   2026-01-02 10:00:00 +0100, … UTC         Ruby's Time#to_s
//   2026-01-02 10:00:00 +0100 CET            Go's Time.String

const WRITTEN =
  /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d(?:[.,]\d{1,9})?)? ?(Z|UTC|[+-]\d\d(?::?\d\d)?)(?: [A-Z]{3,5}|\[[\w/+-]{1,50}\])?$/i

/** @returns what it was where it has no offset, or is no time at all */
export function toFullDateTime(text: string): string {
  const [, date, minutes, seconds = ':00', zone] = WRITTEN.exec(text.trim()) ?? []
  if (zone === undefined) return text
  const offset = /^[ZU]/i.test(zone)
    ? 'Z'
    : zone.replace(/^([+-]\d\d):?(\d\d)?$/, (_, h, m = '00') => `${h}:${m}`)
  return `${date}T${minutes}${seconds.replace(',', '.')}${offset}`
}

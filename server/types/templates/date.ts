// Defines which instant a date is for the date filters, independent of the time zone of the server.
//
// An instant (a number, or a text that ends with `Z`) is shown in the time zone of the user. A date, and a time without a zone, are the
// same in every zone. A time with an offset keeps its offset. A time zone in the template applies to all of them; a time without a zone
// then counts as UTC.

import type { Context, Liquid } from 'liquidjs'

const DATE_FILTERS = ['date', 'date_to_long_string', 'date_to_string', 'date_to_xmlschema', 'date_to_rfc822']

/** Each part of a format reads the calendar again, so a very long format would take half a minute. Useful ones are much shorter. */
const MAX_FORMAT_CHARACTERS = 1000

const ISO_DATE = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)?(z)?$/i

export function setDateFilters(liquid: Liquid): void {
  for (const name of DATE_FILTERS) {
    const filter = liquid.filters[name]
    if (typeof filter !== 'function') continue
    liquid.registerFilter(name, function (value: unknown, ...rest) {
      if (String(rest[0]).length > MAX_FORMAT_CHARACTERS)
        throw new Error(`a date format has at most ${MAX_FORMAT_CHARACTERS} characters`)
      return filter.call(this, toZonedValue(value, this.context), ...rest) as unknown
    })
  }
}

function toZonedValue(value: unknown, { opts }: Context): unknown {
  const match = typeof value === 'string' ? ISO_DATE.exec(value) : null
  if (!match) return value
  // The library treats a lower-case `z` as the time zone of the server.
  const text = match[0].replace(' ', 'T').toUpperCase()
  const zoned = match[1] === undefined ? `${text}${text.length === 10 ? 'T00:00' : ''}Z` : text
  const seconds = Date.parse(zoned) / 1000
  if (Number.isNaN(seconds)) return value
  return match[1] === undefined || opts.timezoneOffset === 'UTC' ? zoned : seconds
}

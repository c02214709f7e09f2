// Which instant a date is for the filters that write it, wherever the server stands.
//
// An instant (a number, `Z` at its end) is shown in the reader's zone. A date alone, and a time without a zone, are what
// they say in every zone. What came with an offset keeps it. A zone that the template itself names counts for all of them,
// and what was written without one is then of UTC.

import type { Context, Liquid } from 'liquidjs'

const FILTERS = ['date', 'date_to_long_string', 'date_to_string', 'date_to_xmlschema', 'date_to_rfc822']

/**
 * Each of its parts asks for the calendar anew: a merge tag full of them would take half a minute. No setting: none that says
 * something has a tenth of it.
 */
const FORMAT_LIMIT = 1000

const WRITTEN = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)?(z)?$/i

export function floatDates(liquid: Liquid): void {
  for (const name of FILTERS) {
    const filter = liquid.filters[name]
    if (typeof filter !== 'function') continue
    liquid.registerFilter(name, function (value: unknown, ...rest) {
      if (String(rest[0]).length > FORMAT_LIMIT)
        throw new Error(`a format has at most ${FORMAT_LIMIT} characters`)
      return filter.call(this, floated(value, this.context), ...rest) as unknown
    })
  }
}

function floated(value: unknown, { opts }: Context): unknown {
  const written = typeof value === 'string' ? WRITTEN.exec(value) : null
  if (!written) return value
  // The library reads a small `z` as a time of the machine's zone.
  const text = written[0].replace(' ', 'T').toUpperCase()
  const zoned = written[1] === undefined ? `${text}${text.length === 10 ? 'T00:00' : ''}Z` : text
  const seconds = Date.parse(zoned) / 1000
  if (Number.isNaN(seconds)) return value
  return written[1] === undefined || opts.timezoneOffset === 'UTC' ? zoned : seconds
}

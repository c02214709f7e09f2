// Liquid within limits: the allowed tags and filters, and the limits of time and size.
//
// liquidjs checks its time limit only between two nodes. So there are two engines. The small engine has no loops, no ranges, and only
// filters that read their text once: it runs in this thread. The full engine runs in a thread that can be terminated (render-pool.ts). A
// thread that runs out of memory ends the process, so everything that liquidjs does not count is bounded too (bounds.ts).

import { Context, Liquid, LiquidError, type Template } from 'liquidjs'

import { escapeHtml } from '../../core/escape-html.ts'
import { boundArrays, boundOutput, boundRanges, stringify } from './bounds.ts'
import { setDateFilters } from './date.ts'
import { MAX_TEXT_CHARACTERS } from './expand.ts'

export interface RenderLimits {
  readonly maxMs: number
  readonly maxBytes: number
}

export type EngineSize = 'small' | 'full'

/** Outputs and tags of one text: parsing gets slow with their number. */
const MAX_NODES = 5_000
/** Between the delimiters of a text, for the small engine. */
const MAX_SMALL_CODE_CHARACTERS = 4_000

const SMALL_TAGS = new Set(
  '# assign capture case comment cycle decrement echo if increment raw unless'.split(' ')
)
const FULL_TAGS = new Set([...SMALL_TAGS, 'break', 'continue', 'for', 'liquid'])

const SMALL_FILTERS = new Set(
  `abs append at_least at_most base64_decode base64_encode capitalize ceil compact date date_to_long_string
   date_to_rfc822 date_to_string date_to_xmlschema default divided_by downcase escape escape_once first floor join
   last lstrip minus modulo newline_to_br normalize_whitespace plus prepend raw remove remove_first
   replace replace_first reverse round rstrip size slice split squish strip strip_html strip_newlines
   times truncate truncatewords uniq upcase url_decode url_encode`.split(/\s+/)
)
// Filters that evaluate a text for each element are excluded, because liquidjs counts them towards no limit.
const isFullFilter = (name: string): boolean => !name.endsWith('_exp')

export interface Engine {
  /** @throws Error with line and column */
  parse(text: string): Template[]
  /** @throws Error with line and column */
  render(templates: Template[], data: Readonly<Record<string, unknown>>): string
}

boundRanges()

/** @param html - escapes every value that is not marked `raw` */
export function createEngine(size: EngineSize, html: boolean, { maxMs, maxBytes }: RenderLimits): Engine {
  const liquid = new Liquid({
    locale: 'en-US',
    memoryLimit: maxBytes,
    ownPropertyOnly: true,
    parseLimit: MAX_TEXT_CHARACTERS,
    // What came with an offset is shown in it; everything else in the reader's zone, or in UTC.
    preserveTimezones: true,
    renderLimit: maxMs,
    strictFilters: true,
    // Prevents liquidjs from looking for files.
    templates: {},
    timezoneOffset: 'UTC',
    ...(html && { outputEscape: (value: unknown) => escapeHtml(stringify(value)) })
  })
  const tags = size === 'small' ? SMALL_TAGS : FULL_TAGS
  for (const name of Object.keys(liquid.tags)) if (!tags.has(name)) delete liquid.tags[name]
  for (const name of Object.keys(liquid.filters)) {
    if (size === 'small' ? !SMALL_FILTERS.has(name) : !isFullFilter(name)) delete liquid.filters[name]
  }
  boundOutput(liquid, maxBytes)
  boundArrays(liquid, maxBytes)
  setDateFilters(liquid)
  return {
    parse(text) {
      if (text.length > MAX_TEXT_CHARACTERS) throw new Error(`More than ${MAX_TEXT_CHARACTERS} characters.`)
      if (countOpenings(text) > MAX_NODES) throw new Error(`More than ${MAX_NODES} outputs and tags.`)
      if (size === 'small' && !isSmall(text)) throw new Error('Not small.')
      return liquid.parse(replaceLegacyTag(text))
    },
    render: (templates, data) => String(liquid.renderSync(templates, createContext(liquid, data)))
  }
}

/** The user for whom dates are formatted. */
export interface DateReader {
  /** BCP 47, for names of months and days. Default: American English. */
  readonly _locale?: string
  /** IANA name. Default: UTC. */
  readonly _timezone?: string
}

/** Copies the data, because `increment` writes to it. */
function createContext(liquid: Liquid, data: Readonly<Record<string, unknown>>): Context {
  const { _locale: locale, _timezone: timezoneOffset } = data as DateReader
  const options = { ...liquid.options, ...(locale && { locale }), ...(timezoneOffset && { timezoneOffset }) }
  return new Context({ ...data }, options, { sync: true }, { liquid })
}

/** Replaces a tag of templates of the hosted product that is not Liquid. */
const replaceLegacyTag = (text: string): string =>
  text.includes('notificationapi:')
    ? text.replaceAll(/\{\{(-?)\s*notificationapi:unsubscribe_url\s*(-?)\}\}/g, '{{$1 _unsubscribe_url $2}}')
    : text

function countOpenings(text: string): number {
  let count = 0
  for (let at = text.indexOf('{'); at !== -1; at = text.indexOf('{', at + 2)) {
    if (text[at + 1] === '{' || text[at + 1] === '%') count += 1
    else at -= 1
  }
  return count
}

function isSmall(text: string): boolean {
  let code = 0
  // An opening without an end matches the rest of the text. Otherwise the search would start again at each brace and take seconds.
  for (const [part] of text.matchAll(/\{\{[^]*?(?:\}\}|$)|\{%[^]*?(?:%\}|$)/g)) {
    code += part.length
    const open = part.indexOf('(')
    if (code > MAX_SMALL_CODE_CHARACTERS || (open !== -1 && part.includes('..', open))) return false
  }
  return true
}

export function liquidDetail(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof RangeError) return 'It is nested too deeply.'
  const message = error.message
    .replace(/, line:\d+, col:\d+$/, '')
    .replace(/, file:.*$/, '')
    .replace('template render limit exceeded', 'it takes too long')
    .replace('memory alloc limit exceeded', 'it needs too much memory')
    .replace(/^tag "(.*)" not found$/, 'there is no tag "$1"')
    .replace(/^undefined filter: (.*)$/, 'there is no filter "$1"')
    .replace(/\.$/, '')
  if (!LiquidError.is(error)) return `${message}.`
  if (error.originalError instanceof RangeError && /stack/i.test(error.originalError.message)) {
    return 'It is nested too deeply.'
  }
  const [line, column] = (
    error as LiquidError & { token: { getPosition(): [number, number] } }
  ).token.getPosition()
  return `Line ${line}, column ${column}: ${message}.`
}

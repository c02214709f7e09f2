// Liquid within limits: which tags and filters exist, what nobody may reach, when it stops.
//
// liquidjs looks at its clock between two nodes only. So there are two engines. The small one knows no loop, no range
// and no filter that does more than read its text once: it runs in this thread. Everything else belongs into a
// thread that can be killed (pool.ts). A thread that runs out of memory takes the process with it, so what could
// grow without being charged is bounded here (bounds.ts).

import { Context, Liquid, LiquidError, type Template } from 'liquidjs'

import { escapeHtml } from '../../core/escape-html.ts'
import { boundArrays, boundOutput, boundRanges, stringify } from './bounds.ts'
import { floatDates } from './date.ts'
import { LONGEST } from './expand.ts'

export interface RenderLimits {
  /** Milliseconds for one text. */
  readonly millis: number
  /** Bytes that one text may become. */
  readonly bytes: number
}

export type Size = 'small' | 'full'

/** Outputs and tags of one text: parsing gets slow in their number. */
const NODES = 5_000
/** Characters between the delimiters of a text that the small engine takes. */
const SMALL_CODE = 4_000

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
// Nothing of a template is code: a text that is evaluated for every item, again inside itself, is charged nowhere.
const isFullFilter = (name: string): boolean => !name.endsWith('_exp')

export interface Engine {
  /** @throws Error with line and column */
  parse(text: string): Template[]
  /** @throws Error with line and column */
  render(templates: Template[], data: Readonly<Record<string, unknown>>): string
  /** Paths that a text reads from its data, in branches that are not taken as well; numbers are places in a list. */
  variables(templates: Template[]): Path[]
}

export type Path = readonly (string | number)[]

boundRanges()

/** An engine; with `html` every value is escaped that is not marked `raw`. */
export function createEngine(size: Size, html: boolean, { millis, bytes }: RenderLimits): Engine {
  const liquid = new Liquid({
    locale: 'en-US',
    memoryLimit: bytes,
    ownPropertyOnly: true,
    parseLimit: LONGEST,
    // What came with an offset is shown in it; everything else in the reader's zone, or in UTC.
    preserveTimezones: true,
    renderLimit: millis,
    strictFilters: true,
    // No file is ever looked for.
    templates: {},
    timezoneOffset: 'UTC',
    ...(html && { outputEscape: (value: unknown) => escapeHtml(stringify(value)) })
  })
  const tags = size === 'small' ? SMALL_TAGS : FULL_TAGS
  for (const name of Object.keys(liquid.tags)) if (!tags.has(name)) delete liquid.tags[name]
  for (const name of Object.keys(liquid.filters)) {
    if (size === 'small' ? !SMALL_FILTERS.has(name) : !isFullFilter(name)) delete liquid.filters[name]
  }
  boundOutput(liquid, bytes)
  boundArrays(liquid, bytes)
  floatDates(liquid)
  return {
    parse(text) {
      if (text.length > LONGEST) throw new Error(`More than ${LONGEST} characters.`)
      if (openings(text) > NODES) throw new Error(`More than ${NODES} outputs and tags.`)
      if (size === 'small' && !isSmall(text)) throw new Error('Not small.')
      return liquid.parse(withReserved(text))
    },
    render: (templates, data) => String(liquid.renderSync(templates, contextOf(liquid, data))),
    variables: templates => liquid.globalVariableSegmentsSync(templates).map(known)
  }
}

/** Whom dates are written for. */
export interface Reader {
  /** BCP 47: names of months and days. Default: American English. */
  readonly _locale?: string
  /** IANA name. Default: UTC. */
  readonly _timezone?: string
}

/** A copy of the data, because `increment` writes into what it is given. */
function contextOf(liquid: Liquid, data: Readonly<Record<string, unknown>>): Context {
  const { _locale: locale, _timezone: timezoneOffset } = data as Reader
  const options = { ...liquid.options, ...(locale && { locale }), ...(timezoneOffset && { timezoneOffset }) }
  return new Context({ ...data }, options, { sync: true }, { liquid })
}

/** Up to the first part that is itself a variable. */
function known(segments: readonly unknown[]): Path {
  const end = segments.findIndex(part => typeof part !== 'string' && typeof part !== 'number')
  return (end === -1 ? segments : segments.slice(0, end)) as Path
}

/** A word that existing templates use and that is not Liquid. */
const withReserved = (text: string): string =>
  text.includes('notificationapi:')
    ? text.replaceAll(/\{\{(-?)\s*notificationapi:unsubscribe_url\s*(-?)\}\}/g, '{{$1 _unsubscribe_url $2}}')
    : text

function openings(text: string): number {
  let count = 0
  for (let at = text.indexOf('{'); at !== -1; at = text.indexOf('{', at + 2)) {
    if (text[at + 1] === '{' || text[at + 1] === '%') count += 1
    else at -= 1
  }
  return count
}

function isSmall(text: string): boolean {
  let code = 0
  // What does not end takes all the rest with it: looked for from each brace anew, the end would be missed for seconds.
  for (const [part] of text.matchAll(/\{\{[^]*?(?:\}\}|$)|\{%[^]*?(?:%\}|$)/g)) {
    code += part.length
    const open = part.indexOf('(')
    if (code > SMALL_CODE || (open !== -1 && part.includes('..', open))) return false
  }
  return true
}

/** What is wrong with a template, in one sentence. */
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

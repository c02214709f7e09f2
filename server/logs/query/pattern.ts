// Parses the patterns of filters: a subset of regular expressions whose match takes linear time.
//
// User input is never used as a regular expression: it is parsed into parts, and the parts are written anew with every special
// character escaped.

import { FilterError } from './tokens.ts'

export type PatternPart =
  | { readonly kind: 'literal'; readonly text: string }
  /** `[a-z]`, `\d`, or `.` if there are no ranges. */
  | {
      readonly kind: 'one'
      readonly not: boolean
      readonly ranges: readonly (readonly [string, string])[]
      readonly many: '' | '*' | '+'
    }
  | { readonly kind: 'start' }
  | { readonly kind: 'end' }

const ANYTHING: PatternPart = { kind: 'one', many: '*', not: false, ranges: [] }
const START: PatternPart = { kind: 'start' }
const END: PatternPart = { kind: 'end' }
const MAX_CHARACTERS = 200

const literal = (text: string): PatternPart[] => (text === '' ? [] : [{ kind: 'literal', text }])

/** A pattern of a whole text with stars as wildcards. */
export function parseWildcard(text: string, stars: readonly number[]): PatternPart[] {
  const parts: PatternPart[] = [START]
  let from = 0
  for (const star of stars) {
    parts.push(...literal(text.slice(from, star)))
    if (parts.at(-1) !== ANYTHING) parts.push(ANYTHING)
    from = star + 1
  }
  return [...parts, ...literal(text.slice(from)), END]
}

export const parseSubstring = (text: string): PatternPart[] => literal(text)

const CLASSES: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  d: [['0', '9']],
  s: [
    [' ', ' '],
    ['\t', '\r']
  ],
  w: [
    ['a', 'z'],
    ['A', 'Z'],
    ['0', '9'],
    ['_', '_']
  ]
}
const SIGNS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }

/**
 * Literals, `.`, `[a-z]`, `[^a-z]`, `\d \w \s` and their opposites, each with `*` or `+`; `^` first and `$` last.
 *
 * @param at - position in the filter
 * @throws FilterError for groups, alternatives, counts and everything else
 */
export function parsePattern(source: string, at: number): PatternPart[] {
  if (source.length > MAX_CHARACTERS)
    throw new FilterError(at, `a pattern has at most ${MAX_CHARACTERS} characters.`)
  if (source === '') throw new FilterError(at, 'expected a pattern.')
  const parts: PatternPart[] = []
  const signs = [...source]
  let place = 0
  const here = (): number => at + signs.slice(0, place).join('').length
  const one = (not: boolean, ranges: readonly (readonly [string, string])[]): PatternPart => ({
    kind: 'one',
    many: '',
    not,
    ranges
  })
  while (place < signs.length) {
    const sign = signs[place]!
    if (sign === '*' || sign === '+') {
      const before = parts.pop()
      if (before === undefined || !isRepeatable(before))
        throw new FilterError(here(), `nothing to repeat before ${sign}.`)
      parts.push(...repeated(before, sign))
    } else if (sign === '^') {
      if (place > 0) throw new FilterError(here(), '^ is allowed only at the beginning.')
      parts.push(START)
    } else if (sign === '$') {
      if (place < signs.length - 1) throw new FilterError(here(), '$ is allowed only at the end.')
      parts.push(END)
    } else if (sign === '.') parts.push(one(false, []))
    else if (sign === '[') {
      const set = parseSet(signs, place, here)
      parts.push(one(set.not, set.ranges))
      place = set.end
    } else if (sign === '\\') {
      place += 1
      const next = signs[place] ?? ''
      const ranges = CLASSES[next.toLowerCase()]
      if (ranges) parts.push(one(next !== next.toLowerCase(), ranges))
      else if (SIGNS[next] !== undefined || !/^[a-z0-9]?$/i.test(next)) {
        parts.push({ kind: 'literal', text: SIGNS[next] ?? next })
      } else throw new FilterError(here(), `\\${next} is not supported.`)
    } else if ('(){}?|]'.includes(sign)) {
      throw new FilterError(
        here(),
        `${sign} is not supported in patterns. Use literals, . .* [a-z] \\d ^ and $.`
      )
    } else parts.push({ kind: 'literal', text: sign })
    place += 1
  }
  return parts
}

const isRepeatable = (part: PatternPart): boolean =>
  part.kind === 'literal' || (part.kind === 'one' && part.many === '')

const repeated = (part: PatternPart, many: '*' | '+'): PatternPart[] => {
  if (part.kind === 'one') return [{ ...part, many }]
  const { text } = part as Extract<PatternPart, { kind: 'literal' }>
  return [{ kind: 'one', many, not: false, ranges: [[text, text]] }]
}

function parseSet(signs: readonly string[], from: number, here: () => number) {
  const ranges: (readonly [string, string])[] = []
  const not = signs[from + 1] === '^'
  for (let at = from + (not ? 2 : 1); at < signs.length; at++) {
    let low = signs[at]!
    if (low === ']' && ranges.length > 0) return { end: at, not, ranges }
    if (low === '\\') {
      at += 1
      const next = signs[at] ?? ''
      const known = CLASSES[next]
      if (known) {
        ranges.push(...known)
        continue
      }
      if (/^[a-z0-9]?$/i.test(next) && SIGNS[next] === undefined) {
        throw new FilterError(here(), `\\${next} is not supported in a set.`)
      }
      low = SIGNS[next] ?? next
    } else if (low === '[' || low === ']')
      throw new FilterError(here(), `write \\${low} for ${low} in a set.`)
    const high = signs[at + 1] === '-' && signs[at + 2] !== ']' ? signs[at + 2] : undefined
    if (high === undefined) ranges.push([low, low])
    else if (!/^[a-z0-9]$/i.test(low) || !/^[a-z0-9]$/i.test(high) || low > high) {
      throw new FilterError(here(), `${low}-${high} is not a range of letters or digits.`)
    } else {
      ranges.push([low, high])
      at += 2
    }
  }
  throw new FilterError(here(), 'expected ] at the end of this set.')
}

/** All special characters of Postgres' regular expressions are ASCII punctuation. */
const escapePunctuation = (text: string): string => text.replaceAll(/[!-/:-@[-^`{-~]/g, String.raw`\$&`)

/** @returns a regular expression for Postgres. It has no groups and no back references, so matching never backtracks. */
export const toRegex = (parts: readonly PatternPart[]): string => parts.map(writePart).join('')

function writePart(part: PatternPart): string {
  if (part.kind === 'start') return '^'
  if (part.kind === 'end') return '$'
  if (part.kind === 'literal') return escapePunctuation(part.text)
  const { many, not, ranges } = part
  if (ranges.length === 0) return `.${many}`
  const inside = ranges
    .map(([low, high]) => (low === high ? escapePunctuation(low) : `${low}-${high}`))
    .join('')
  return `[${not ? '^' : ''}${inside}]${many}`
}

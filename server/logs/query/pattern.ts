// Patterns that a filter may ask for: a subset whose match takes time linear in the text, made of pieces.
//
// What a caller writes never becomes a regular expression by itself: it is read into pieces, and the pieces are
// written anew with every sign escaped.

import { Misfit } from './tokens.ts'

export type Piece =
  | { readonly kind: 'literal'; readonly text: string }
  /** `[a-z]`, `\d`, and `.` where there are no ranges. */
  | {
      readonly kind: 'one'
      readonly not: boolean
      readonly ranges: readonly (readonly [string, string])[]
      readonly many: '' | '*' | '+'
    }
  | { readonly kind: 'start' }
  | { readonly kind: 'end' }

const ANYTHING: Piece = { kind: 'one', many: '*', not: false, ranges: [] }
const START: Piece = { kind: 'start' }
const END: Piece = { kind: 'end' }
const LONGEST = 200

const literal = (text: string): Piece[] => (text === '' ? [] : [{ kind: 'literal', text }])

/** A whole text in which stars stand for anything. */
export function wildcardOf(text: string, stars: readonly number[]): Piece[] {
  const pieces: Piece[] = [START]
  let from = 0
  for (const star of stars) {
    pieces.push(...literal(text.slice(from, star)))
    if (pieces.at(-1) !== ANYTHING) pieces.push(ANYTHING)
    from = star + 1
  }
  return [...pieces, ...literal(text.slice(from)), END]
}

/** Any text that holds this one. */
export const withinOf = (text: string): Piece[] => literal(text)

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
 * @param at - where it stands in the filter
 * @throws Misfit for groups, alternatives, counts and everything else
 */
export function patternOf(source: string, at: number): Piece[] {
  if (source.length > LONGEST) throw new Misfit(at, `a pattern has at most ${LONGEST} characters.`)
  if (source === '') throw new Misfit(at, 'expected a pattern.')
  const pieces: Piece[] = []
  const signs = [...source]
  let place = 0
  const here = (): number => at + signs.slice(0, place).join('').length
  const one = (not: boolean, ranges: readonly (readonly [string, string])[]): Piece => ({
    kind: 'one',
    many: '',
    not,
    ranges
  })
  while (place < signs.length) {
    const sign = signs[place]!
    if (sign === '*' || sign === '+') {
      const before = pieces.pop()
      if (before === undefined || !isRepeatable(before))
        throw new Misfit(here(), `nothing to repeat before ${sign}.`)
      pieces.push(...repeated(before, sign))
    } else if (sign === '^') {
      if (place > 0) throw new Misfit(here(), '^ stands only at the beginning.')
      pieces.push(START)
    } else if (sign === '$') {
      if (place < signs.length - 1) throw new Misfit(here(), '$ stands only at the end.')
      pieces.push(END)
    } else if (sign === '.') pieces.push(one(false, []))
    else if (sign === '[') {
      const set = setOf(signs, place, here)
      pieces.push(one(set.not, set.ranges))
      place = set.end
    } else if (sign === '\\') {
      place += 1
      const next = signs[place] ?? ''
      const ranges = CLASSES[next.toLowerCase()]
      if (ranges) pieces.push(one(next !== next.toLowerCase(), ranges))
      else if (SIGNS[next] !== undefined || !/^[a-z0-9]?$/i.test(next)) {
        pieces.push({ kind: 'literal', text: SIGNS[next] ?? next })
      } else throw new Misfit(here(), `\\${next} is not known here.`)
    } else if ('(){}?|]'.includes(sign)) {
      throw new Misfit(
        here(),
        `${sign} is not known in patterns here: write literals, . .* [a-z] \\d ^ and $.`
      )
    } else pieces.push({ kind: 'literal', text: sign })
    place += 1
  }
  return pieces
}

const isRepeatable = (piece: Piece): boolean =>
  piece.kind === 'literal' || (piece.kind === 'one' && piece.many === '')

const repeated = (piece: Piece, many: '*' | '+'): Piece[] => {
  if (piece.kind === 'one') return [{ ...piece, many }]
  const { text } = piece as Extract<Piece, { kind: 'literal' }>
  return [{ kind: 'one', many, not: false, ranges: [[text, text]] }]
}

function setOf(signs: readonly string[], from: number, here: () => number) {
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
        throw new Misfit(here(), `\\${next} is not known in a set.`)
      }
      low = SIGNS[next] ?? next
    } else if (low === '[' || low === ']') throw new Misfit(here(), `write \\${low} for ${low} in a set.`)
    const high = signs[at + 1] === '-' && signs[at + 2] !== ']' ? signs[at + 2] : undefined
    if (high === undefined) ranges.push([low, low])
    else if (!/^[a-z0-9]$/i.test(low) || !/^[a-z0-9]$/i.test(high) || low > high) {
      throw new Misfit(here(), `${low}-${high} is no range of letters or digits.`)
    } else {
      ranges.push([low, high])
      at += 2
    }
  }
  throw new Misfit(here(), 'this set has no end.')
}

/** Whatever may mean something to Postgres is punctuation of ASCII. */
const escaped = (text: string): string => text.replaceAll(/[!-/:-@[-^`{-~]/g, String.raw`\$&`)

/** As a regular expression of Postgres: no groups, no back references, so its automaton never goes back. */
export const toRegex = (pieces: readonly Piece[]): string => pieces.map(written).join('')

function written(piece: Piece): string {
  if (piece.kind === 'start') return '^'
  if (piece.kind === 'end') return '$'
  if (piece.kind === 'literal') return escaped(piece.text)
  const { many, not, ranges } = piece
  if (ranges.length === 0) return `.${many}`
  const inside = ranges.map(([low, high]) => (low === high ? escaped(low) : `${low}-${high}`)).join('')
  return `[${not ? '^' : ''}${inside}]${many}`
}

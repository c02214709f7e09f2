// Splits the text of a filter into tokens with their positions, in one pass.

export interface Token {
  readonly kind: 'word' | 'text' | 'pattern' | 'sign' | 'end'
  readonly text: string
  /** Position in the text, from 0. */
  readonly at: number
  /** Of a text or word: positions of wildcards in `text`. */
  readonly stars: readonly number[]
  /** Of a pattern: the flags behind it. */
  readonly flags: string
}

/** A mistake in a filter, and its position. Parsers throw it; {@link catchFilterError} turns it into a value. */
export class FilterError extends Error {
  readonly at: number
  constructor(at: number, detail: string) {
    super(detail)
    this.at = at
  }
}

export interface FilterFailure {
  readonly ok: false
  readonly detail: string
}

/** Runs a parser. The detail of a failure contains the position, from 1. */
export function catchFilterError<T>(
  parse: () => T
): { readonly ok: true; readonly value: T } | FilterFailure {
  try {
    return { ok: true, value: parse() }
  } catch (error) {
    if (!(error instanceof FilterError)) throw error
    return { detail: `At character ${error.at + 1}: ${error.message}`, ok: false }
  }
}

const SIGNS = ['&&', '||', '!=', '>=', '<=', '=~', '=', '>', '<', '!', '(', ')', '{', '}', ',', '|', '[', ']']
const STOP = new Set('()=<>!&|,"\'{}')

const isSpace = (sign: string): boolean => sign === ' ' || sign === '\t' || sign === '\n' || sign === '\r'

/** @param maxLength - in UTF-16 code units */
export function tokenize(text: string, maxLength: number): Token[] {
  if (text.length > maxLength) throw new FilterError(maxLength, `expected at most ${maxLength} characters.`)
  const tokens: Token[] = []
  let at = 0
  const add = (kind: Token['kind'], value: string, end: number, more: Partial<Token> = {}): void => {
    tokens.push({ at, flags: '', kind, stars: [], text: value, ...more })
    at = end
  }
  while (at < text.length) {
    const sign = text[at]!
    if (isSpace(sign)) at += 1
    else if (sign === '"' || sign === "'") {
      const { end, stars, value } = quoted(text, at, sign)
      add('text', value, end, { stars })
    } else if (sign === '/' && wantsPattern(tokens.at(-1))) {
      const { end, flags, value } = pattern(text, at)
      add('pattern', value, end, { flags })
    } else {
      const known = SIGNS.find(one => text.startsWith(one, at))
      if (known !== undefined) add('sign', known, at + known.length)
      else {
        const end = endOfWord(text, at)
        if (end === at) throw new FilterError(at, `unexpected ${JSON.stringify(sign)}.`)
        const word = checked(text.slice(at, end), at)
        add('word', word, end, { stars: starsOf(word) })
      }
    }
  }
  add('end', '', at)
  return tokens
}

const wantsPattern = (before: Token | undefined): boolean =>
  before !== undefined &&
  (before.text === '=~' || (before.kind === 'word' && before.text.toLowerCase() === 'like'))

/** A name in backticks may contain all characters except backticks. An index in brackets belongs to the name before it. */
function endOfWord(text: string, from: number): number {
  let at = from
  while (at < text.length) {
    const sign = text[at]!
    if (sign === '`') {
      const end = text.indexOf('`', at + 1)
      if (end < 0) throw new FilterError(at, 'expected a closing `.')
      at = end + 1
    } else if (sign === '[') {
      const end = text.indexOf(']', at)
      if (at === from || end < 0 || !isDigits(text.slice(at + 1, end))) break
      at = end + 1
    } else if (sign === ']' || isSpace(sign) || STOP.has(sign)) break
    else at += 1
  }
  return at
}

export const isDigits = (text: string): boolean =>
  text !== '' && text.length <= 6 && [...text].every(sign => sign >= '0' && sign <= '9')

function starsOf(word: string): number[] {
  const stars: number[] = []
  for (let at = word.indexOf('*'); at >= 0; at = word.indexOf('*', at + 1)) stars.push(at)
  return stars
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }

function quoted(text: string, from: number, quote: string) {
  let value = ''
  const stars: number[] = []
  for (let at = from + 1; at < text.length; at++) {
    const sign = text[at]!
    if (sign === quote) return { end: at + 1, stars, value: checked(value, from) }
    if (sign === '\\') {
      at += 1
      const next = text[at] ?? ''
      value += ESCAPES[next] ?? next
    } else {
      if (sign === '*') stars.push(value.length)
      value += sign
    }
  }
  throw new FilterError(from, 'expected a closing quote.')
}

/** Postgres stores neither NUL nor unpaired surrogates. */
function checked(value: string, at: number): string {
  if (value.includes('\0') || !value.isWellFormed())
    throw new FilterError(at, 'expected a text without NUL and unpaired surrogates.')
  return value
}

/** Does not interpret the source; pattern.ts parses it. */
function pattern(text: string, from: number) {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '/') {
      let end = at + 1
      while (end < text.length && /[a-z]/i.test(text[end]!)) end += 1
      return { end, flags: text.slice(at + 1, end), value: checked(text.slice(from + 1, at), from) }
    }
  }
  throw new FilterError(from, 'expected / at the end of this pattern.')
}

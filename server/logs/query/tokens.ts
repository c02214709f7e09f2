// From the text of a filter to its tokens, each with its place. One pass, no patterns over the whole text.

export interface Token {
  readonly kind: 'word' | 'text' | 'pattern' | 'sign' | 'end'
  readonly text: string
  /** From 0. */
  readonly at: number
  /** Of a text or word: places in `text` of stars that stand for anything. */
  readonly stars: readonly number[]
  /** Of a pattern: the letters behind it. */
  readonly flags: string
}

/** What is wrong with a filter, and where. Thrown within the grammar, a value at its door. */
export class Misfit extends Error {
  readonly at: number
  constructor(at: number, detail: string) {
    super(detail)
    this.at = at
  }
}

export interface Wrong {
  readonly ok: false
  readonly detail: string
}

/** Runs a parser. The detail names the place, counted from 1. */
export function guarded<T>(parse: () => T): { readonly ok: true; readonly value: T } | Wrong {
  try {
    return { ok: true, value: parse() }
  } catch (error) {
    if (!(error instanceof Misfit)) throw error
    return { detail: `At character ${error.at + 1}: ${error.message}`, ok: false }
  }
}

const SIGNS = ['&&', '||', '!=', '>=', '<=', '=~', '=', '>', '<', '!', '(', ')', '{', '}', ',', '|', '[', ']']
const STOP = new Set('()=<>!&|,"\'{}')

const isSpace = (sign: string): boolean => sign === ' ' || sign === '\t' || sign === '\n' || sign === '\r'

/** @param limit - longest text, in UTF-16 units */
export function scan(text: string, limit: number): Token[] {
  if (text.length > limit) throw new Misfit(limit, `expected at most ${limit} characters.`)
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
        if (end === at) throw new Misfit(at, `${JSON.stringify(sign)} means nothing here.`)
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

/** A name in backticks may hold anything but a backtick; an index in brackets belongs to the name before it. */
function endOfWord(text: string, from: number): number {
  let at = from
  while (at < text.length) {
    const sign = text[at]!
    if (sign === '`') {
      const end = text.indexOf('`', at + 1)
      if (end < 0) throw new Misfit(at, 'this ` has no end.')
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
  throw new Misfit(from, 'this text has no end.')
}

/** What Postgres cannot keep it cannot hold either. */
function checked(value: string, at: number): string {
  if (value.includes('\0') || !value.isWellFormed()) throw new Misfit(at, 'this text holds no character.')
  return value
}

/** The source stays as it is; pattern.ts reads it. */
function pattern(text: string, from: number) {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '/') {
      let end = at + 1
      while (end < text.length && /[a-z]/i.test(text[end]!)) end += 1
      return { end, flags: text.slice(at + 1, end), value: checked(text.slice(from + 1, at), from) }
    }
  }
  throw new Misfit(from, 'this pattern has no end.')
}

// The condition of a filter as a tree, and the parser that both kinds of filters share.
//
//   or    = and { ("||" | "or") and }           leaf = path ( "=" | "!=" | ">" | ">=" | "<" | "<=" ) value
//   and   = not { ("&&" | "and") not }               | path [ "not" ] "in" "[" value { "," value } "]"
//   not   = ( "!" | "not" ) not | "(" or ")" | leaf  | path [ "not" ] "like" ( pattern | text ) | path "=~" pattern
//                                                    | path "is" [ "not" ] ( "null" | "true" | "false" )
//                                                    | path [ "not" ] "exists"

import { parsePattern, parseWildcard, parseSubstring, type PatternPart } from './pattern.ts'
import { FilterError, type Token } from './tokens.ts'

export type Operator = '=' | '!=' | '>' | '>=' | '<' | '<='

export type Leaf<Field> =
  | {
      readonly kind: 'compare'
      readonly field: Field
      readonly op: Operator
      readonly value: string | number
    }
  /** `ignoreCase`: the pattern matches letters of any case. */
  | {
      readonly kind: 'like'
      readonly field: Field
      readonly pattern: readonly PatternPart[]
      readonly ignoreCase: boolean
    }
  | { readonly kind: 'is'; readonly field: Field; readonly value: boolean | null }
  | { readonly kind: 'exists'; readonly field: Field }

export type Condition<Field> =
  | Leaf<Field>
  | { readonly kind: 'and'; readonly of: readonly Condition<Field>[] }
  | { readonly kind: 'or'; readonly of: readonly Condition<Field>[] }
  | { readonly kind: 'not'; readonly of: Condition<Field> }

export class Reader {
  readonly #tokens: readonly Token[]
  #next = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  get token(): Token {
    return this.#tokens[this.#next]!
  }

  take(): Token {
    const { token } = this
    if (token.kind !== 'end') this.#next += 1
    return token
  }

  /** Whether the next token is this sign, or this word in any case. */
  is(text: string): boolean {
    const { kind, text: found } = this.token
    return (kind === 'sign' && found === text) || (kind === 'word' && found.toLowerCase() === text)
  }

  /** Takes it if it is there. */
  has(text: string): boolean {
    const found = this.is(text)
    if (found) this.take()
    return found
  }

  need(text: string): void {
    if (!this.has(text)) throw this.misfit(`expected ${text}`)
  }

  misfit(expected: string): FilterError {
    const { at, kind, text } = this.token
    return new FilterError(at, `${expected}, found ${kind === 'end' ? 'the end' : JSON.stringify(text)}.`)
  }
}

export interface Vocabulary<Field> {
  field(name: Token): Field
  /** What a field is compared with. @throws FilterError where the field knows no such value */
  value(field: Field, value: string | number, at: number): string | number
  /** Whether the field has texts, which patterns can match. */
  isText(field: Field): boolean
  /** Stars in texts stand for anything. */
  readonly stars: boolean
}

const MAX_DEPTH = 20
const MAX_LEAVES = 200
const NUMBER = /^-?(?:0|[1-9]\d{0,30})(?:\.\d{1,30})?(?:e[+-]?\d{1,3})?$/i
const OPERATORS = ['=', '!=', '>=', '>', '<=', '<'] as const

export function parseCondition<Field>(reader: Reader, vocabulary: Vocabulary<Field>): Condition<Field> {
  let leaves = 0

  const joined = (kind: 'and' | 'or', sign: string, part: () => Condition<Field>): Condition<Field> => {
    const of = [part()]
    while (reader.has(sign) || reader.has(kind)) of.push(part())
    return of.length === 1 ? of[0]! : { kind, of }
  }
  const or = (depth: number): Condition<Field> =>
    joined('or', '||', () => joined('and', '&&', () => not(depth)))
  const not = (depth: number): Condition<Field> => {
    if (depth > MAX_DEPTH) throw new FilterError(reader.token.at, `expected at most ${MAX_DEPTH} levels.`)
    if (reader.has('!') || reader.has('not')) return { kind: 'not', of: not(depth + 1) }
    if (!reader.has('(')) return leaf()
    const inner = or(depth + 1)
    reader.need(')')
    return inner
  }

  const leaf = (): Condition<Field> => {
    if (++leaves > MAX_LEAVES)
      throw new FilterError(reader.token.at, `expected at most ${MAX_LEAVES} conditions.`)
    if (reader.token.kind !== 'word') throw reader.misfit('expected a field')
    const field = vocabulary.field(reader.take())
    if (reader.has('exists')) return { field, kind: 'exists' }
    if (reader.has('is')) {
      const isNot = reader.has('not')
      return negated(isNot, { field, kind: 'is', value: literal() })
    }
    if (reader.has('=~')) return like(field)
    const isNot = reader.has('not')
    if (isNot && reader.has('exists')) return negated(true, { field, kind: 'exists' })
    if (reader.has('like')) return negated(isNot, like(field))
    if (reader.has('in')) return negated(isNot, oneOf(field))
    const op = isNot ? undefined : OPERATORS.find(sign => reader.has(sign))
    if (op === undefined) throw reader.misfit(isNot ? 'expected like, in or exists' : 'expected an operator')
    return comparison(field, op)
  }

  const comparison = (field: Field, op: Operator): Condition<Field> => {
    const { at } = reader.token
    const { stars, value } = read()
    if (stars.length === 0) return { field, kind: 'compare', op, value: vocabulary.value(field, value, at) }
    if (op !== '=' && op !== '!=') throw new FilterError(at, '* is a wildcard only after = and !=.')
    requireText(field, at)
    const match = {
      field,
      ignoreCase: false,
      kind: 'like',
      pattern: parseWildcard(String(value), stars)
    } as const
    return op === '=' ? match : { kind: 'and', of: [{ field, kind: 'exists' }, negated(true, match)] }
  }

  const requireText = (field: Field, at: number): void => {
    if (!vocabulary.isText(field))
      throw new FilterError(at, 'this field is not a text. Compare it with = != > >= < <=.')
  }

  const oneOf = (field: Field): Condition<Field> => {
    reader.need('[')
    const of: Condition<Field>[] = []
    do {
      if (++leaves > MAX_LEAVES)
        throw new FilterError(reader.token.at, `expected at most ${MAX_LEAVES} conditions.`)
      of.push(comparison(field, '='))
    } while (reader.has(','))
    reader.need(']')
    return { kind: 'or', of }
  }

  const like = (field: Field): Condition<Field> => {
    const { at, flags, kind, text } = reader.token
    if (kind !== 'pattern' && kind !== 'text') throw reader.misfit('expected a /pattern/ or a "text"')
    requireText(field, at)
    reader.take()
    const pattern = kind === 'pattern' ? parsePattern(text, at + 1) : parseSubstring(text)
    if (flags !== '' && flags !== 'i')
      throw new FilterError(at, 'expected no flag after the pattern except i.')
    return { field, ignoreCase: flags === 'i', kind: 'like', pattern }
  }

  const literal = (): boolean | null => {
    for (const [word, value] of [
      ['null', null],
      ['true', true],
      ['false', false]
    ] as const) {
      if (reader.has(word)) return value
    }
    throw reader.misfit('expected null, true or false')
  }

  const read = (): { value: string | number; stars: readonly number[] } => {
    const { kind, stars, text } = reader.token
    if (kind !== 'word' && kind !== 'text') throw reader.misfit('expected a value')
    reader.take()
    if (kind === 'word' && NUMBER.test(text) && Number.isFinite(Number(text))) {
      return { stars: [], value: Number(text) }
    }
    return { stars: vocabulary.stars ? stars : [], value: text }
  }

  return or(0)
}

const negated = <Field>(isNot: boolean, of: Condition<Field>): Condition<Field> =>
  isNot ? { kind: 'not', of } : of

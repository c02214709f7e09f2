// What liquidjs lets grow without charging it: output, ranges, and arrays that hold one thing many times.

import {
  evalTokenValue,
  Token,
  Tokenizer,
  TokenKind,
  TypeGuards,
  type Context,
  type Emitter,
  type Liquid,
  type RangeToken
} from 'liquidjs'

/** Ends of a range: not less than the negative, not more than the positive. */
const RANGE_LIMIT = 100_000

/** As liquidjs does it: nothing is the empty text, an array its members. */
export function stringify(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(stringify).join('')
  return String(value)
}

/**
 * Caps what a template and what each `capture` in it collects. A text grows there without being copied, and the
 * first comparison makes hundreds of megabytes real.
 */
export function boundOutput({ renderer }: Liquid, bytes: number): void {
  const renderTemplates = renderer.renderTemplates.bind(renderer)
  renderer.renderTemplates = (templates, context, emitter) =>
    renderTemplates(templates, context, emitter ?? emitterOf(bytes))
}

function emitterOf(bytes: number): Emitter {
  const emitter = {
    buffer: '',
    write(value: unknown) {
      const text = stringify(value)
      if (emitter.buffer.length + text.length > bytes)
        throw new Error(`it would become more than ${bytes} bytes`)
      emitter.buffer += text
    }
  }
  return emitter as unknown as Emitter
}

/** Only these make an array that holds something twice; what it would be as text must stay bounded. */
const GROWING = ['concat', 'push', 'unshift']

/** An array of a thousand references to one text weighs a thousand texts, because as a text it is that long. */
export function boundArrays(liquid: Liquid, limit: number): void {
  for (const name of GROWING) {
    const filter = liquid.filters[name]
    if (typeof filter !== 'function') continue
    liquid.registerFilter(name, function (...values) {
      const made: unknown = filter.apply(this, values)
      if (weigh(made, limit) < 0) throw new Error('it needs too much memory')
      return made
    })
  }
}

/** What is left of `limit`, negative as soon as it is used up. */
function weigh(value: unknown, limit: number): number {
  if (typeof value === 'string') return limit - value.length
  if (typeof value !== 'object' || value === null) return limit - 8
  let left = limit - 8
  for (const key in value) {
    left = weigh((value as Record<string, unknown>)[key], left)
    if (left < 0) break
  }
  return left
}

let bounded = false

/** The tokenizer belongs to the library as a whole: done once. Above 2^53 a range would count up for ever. */
export function boundRanges(): void {
  if (bounded) return
  bounded = true
  const { prototype } = Tokenizer
  const read = Reflect.get(prototype, 'readGroupOrRange') as typeof prototype.readGroupOrRange
  prototype.readGroupOrRange = function () {
    const token = read.call(this)
    if (token && TypeGuards.isRangeToken(token)) {
      token.lhs = boundedEnd(token.lhs)
      token.rhs = boundedEnd(token.rhs)
    }
    return token
  }
}

/** In the shape of a grouped expression, the only token that evaluates itself. */
function boundedEnd(end: RangeToken['lhs']): RangeToken['lhs'] {
  const evaluate = function* (context: Context): Generator<unknown, number, unknown> {
    // What is no number counts as 0: a missing merge tag makes an empty range.
    const value = Number(yield evalTokenValue(end, context)) || 0
    if (Math.abs(value) > RANGE_LIMIT) {
      throw new Error(`the ends of a range must be numbers from -${RANGE_LIMIT} to ${RANGE_LIMIT}`)
    }
    return Math.trunc(value)
  }
  // Not of the end's own class: a token with a content is taken for a literal.
  return Object.assign(Object.create(Token.prototype), {
    begin: end.begin,
    end: end.end,
    filters: [],
    // What an analysis of the template asks for: the variables in it.
    initial: { evaluate, postfix: [end] },
    input: end.input,
    kind: TokenKind.FilteredValue
  }) as RangeToken['lhs']
}

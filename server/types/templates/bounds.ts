// Bounds what liquidjs does not count towards its memory limit: output, ranges, and arrays with many references to one text.

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

const MAX_RANGE_END = 100_000

/** Converts like liquidjs: null is an empty text, an array the text of its elements. */
export function stringify(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(stringify).join('')
  return String(value)
}

/**
 * Limits the output of a template and of each `capture` in it. V8 concatenates these texts without copying them, and the first
 * comparison would allocate hundreds of megabytes.
 */
export function boundOutput({ renderer }: Liquid, maxBytes: number): void {
  const renderTemplates = renderer.renderTemplates.bind(renderer)
  renderer.renderTemplates = (templates, context, emitter) =>
    renderTemplates(templates, context, emitter ?? createEmitter(maxBytes))
}

function createEmitter(maxBytes: number): Emitter {
  const emitter = {
    buffer: '',
    write(value: unknown) {
      const text = stringify(value)
      if (emitter.buffer.length + text.length > maxBytes)
        throw new Error(`the output exceeds ${maxBytes} bytes`)
      emitter.buffer += text
    }
  }
  return emitter as unknown as Emitter
}

/** The filters that can put an element into an array twice. */
const GROWING_FILTERS = ['concat', 'push', 'unshift']

/** Counts a reference to a text as the whole text, because the output of the array has that length. */
export function boundArrays(liquid: Liquid, maxBytes: number): void {
  for (const name of GROWING_FILTERS) {
    const filter = liquid.filters[name]
    if (typeof filter !== 'function') continue
    liquid.registerFilter(name, function (...values) {
      const result: unknown = filter.apply(this, values)
      if (subtractSize(result, maxBytes) < 0) throw new Error('it needs too much memory')
      return result
    })
  }
}

/** @returns the rest of the limit, negative if the value exceeds it */
function subtractSize(value: unknown, limit: number): number {
  if (typeof value === 'string') return limit - value.length
  if (typeof value !== 'object' || value === null) return limit - 8
  let rest = limit - 8
  for (const key in value) {
    rest = subtractSize((value as Record<string, unknown>)[key], rest)
    if (rest < 0) break
  }
  return rest
}

let areRangesBounded = false

/** Changes the tokenizer of the library once. Above 2^53, a range would never end. */
export function boundRanges(): void {
  if (areRangesBounded) return
  areRangesBounded = true
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

/** @returns a grouped expression, the only kind of token that can evaluate itself */
function boundedEnd(end: RangeToken['lhs']): RangeToken['lhs'] {
  const evaluate = function* (context: Context): Generator<unknown, number, unknown> {
    // Other values count as 0, so a missing parameter makes an empty range.
    const value = Number(yield evalTokenValue(end, context)) || 0
    if (Math.abs(value) > MAX_RANGE_END) {
      throw new Error(`the ends of a range must be numbers from -${MAX_RANGE_END} to ${MAX_RANGE_END}`)
    }
    return Math.trunc(value)
  }
  // Not an instance of the end's class, because liquidjs treats a token with content as a literal.
  return Object.assign(Object.create(Token.prototype), {
    begin: end.begin,
    end: end.end,
    filters: [],
    // For the analysis of variables.
    initial: { evaluate, postfix: [end] },
    input: end.input,
    kind: TokenKind.FilteredValue
  }) as RangeToken['lhs']
}

// Random filters with their meaning: a second, independent implementation of the grammar that works in memory.

import type { Random } from '../support/random.ts'

export type Value = string | number | boolean | null
export interface Request {
  readonly [key: string]: Value | readonly Value[] | Request
}

export interface Filter {
  readonly text: string
  holds(request: Request): boolean
}

/** All values at a path; each element of an array is one. */
function valuesAt(request: Request, path: readonly string[]): readonly Value[] {
  const found = path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)
        ? (inner as Request)[key]
        : undefined,
    request
  )
  return found === undefined ? [] : Array.isArray(found) ? (found as Value[]) : [found as Value]
}

const KEYS = ['a', 'b', 'c-d', 'e_f', 'tags', 'deep.x', 'missing']
export const TEXTS = [
  'red',
  'red shoe',
  'Blue',
  '',
  '10',
  'a*b',
  'o\'c"d',
  '100%',
  'x_y',
  '\\d',
  '🚢 ahoy',
  "'; drop table sends; --"
]
const NUMBERS = [0, 1, -1, 2.5, 10, 1e15]

const pick = <T>(next: Random, of: readonly T[]): T => of[next(of.length)]!

/** Parameters of a send. */
export function randomRequest(next: Random): Request {
  const value = (): Value =>
    [() => pick(next, TEXTS), () => pick(next, NUMBERS), () => next(2) === 0, () => null][next(4)]!()
  const parameters: Record<string, Request[string]> = {}
  for (const key of ['a', 'b', 'c-d', 'e_f']) if (next(4) > 0) parameters[key] = value()
  if (next(2) === 0) parameters['tags'] = Array.from({ length: 1 + next(3) }, value)
  if (next(2) === 0) parameters['deep'] = { x: value() }
  return parameters
}

const quoted = (next: Random, text: string): string => {
  const quote = pick(next, ['"', "'"])
  return quote + text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`) + quote
}

const space = (next: Random): string => pick(next, ['', ' ', '  ', '\t'])

const compared = (op: string, left: Value, right: string | number): boolean => {
  if (typeof left !== typeof right) return false
  if (op === '=') return left === right
  if (op === '>') return left! > right
  if (op === '>=') return left! >= right
  if (op === '<') return left! < right
  return left! <= right
}

function leaf(next: Random, stars: boolean): Filter {
  const key = pick(next, KEYS)
  const path = key.split('.')
  const name = `${pick(next, stars ? ['request.', '$.', '$.request.'] : ['request.'])}${pick(next, ['parameters', 'mergeTags'])}.${key}`
  const at = (request: Request) => valuesAt(request, path)
  const kind = next(stars ? 6 : 7)
  if (kind === 0) return { holds: request => at(request).length === 0, text: `${name} NOT EXISTS` }
  if (kind === 1) {
    const value = pick(next, [null, true, false])
    return {
      holds: request => at(request).includes(value),
      text: `${name} ${pick(next, ['IS', 'is'])} ${String(value).toUpperCase()}`
    }
  }
  if (kind === 2 || kind === 3) {
    const op = pick(next, ['=', '!=', '>', '>=', '<', '<='])
    const value = pick(next, NUMBERS)
    return { holds: ordered(at, op, value), text: `${name}${space(next)}${op}${space(next)}${value}` }
  }
  if (kind === 6) {
    const values = [pick(next, TEXTS), pick(next, NUMBERS)]
    return {
      holds: request => at(request).some(one => values.some(value => one === value)),
      text: `${name} in [${values.map(value => (typeof value === 'number' ? value : quoted(next, value))).join(', ')}]`
    }
  }
  const value = pick(next, TEXTS)
  if (kind === 4 && stars) {
    const negated = next(2) === 0
    const cut = next(value.length + 1)
    const [before, after] = [value.slice(0, cut), value.slice(cut + 1)].map(part =>
      part.toWellFormed().replaceAll('\ufffd', '')
    )
    const matches = (one: Value) =>
      typeof one === 'string' &&
      one.length >= before!.length + after!.length &&
      one.startsWith(before!) &&
      one.endsWith(after!)
    const literal = quoted(next, `${before}\u0001${after}`.replaceAll('*', '\u0002'))
      .replaceAll('\u0001', '*')
      .replaceAll('\u0002', '\\*')
    return {
      holds: request => {
        const values = at(request)
        return negated ? values.length > 0 && !values.some(matches) : values.some(matches)
      },
      text: `${name} ${negated ? '!=' : '='} ${literal}`
    }
  }
  const op = pick(next, ['=', '!=', '>', '<'])
  const literal = stars
    ? quoted(next, value.replaceAll('*', '\u0002')).replaceAll('\u0002', '\\*')
    : quoted(next, value)
  return { holds: ordered(at, op, value), text: `${name} ${op} ${literal}` }
}

const ordered =
  (at: (request: Request) => readonly Value[], op: string, value: string | number) =>
  (request: Request): boolean => {
    const values = at(request)
    if (op === '!=') return values.length > 0 && !values.some(one => compared('=', one, value))
    return values.some(one => compared(op, one, value))
  }

/** @param stars - true for a request filter, false for a custom filter */
export function randomFilter(next: Random, stars: boolean, depth = 3): Filter {
  const kind = depth === 0 ? 9 : next(10)
  if (kind > 4) return leaf(next, stars)
  if (kind === 4) {
    const { holds, text } = randomFilter(next, stars, depth - 1)
    return { holds: request => !holds(request), text: `${stars ? '!' : 'not '}(${text})` }
  }
  const parts = Array.from({ length: 2 + next(2) }, () => randomFilter(next, stars, depth - 1))
  const all = kind < 2
  const sign = all ? pick(next, ['&&', 'and']) : pick(next, ['||', 'or'])
  return {
    holds: request =>
      all ? parts.every(part => part.holds(request)) : parts.some(part => part.holds(request)),
    text: parts.map(({ text }) => `(${text})`).join(` ${sign} `)
  }
}

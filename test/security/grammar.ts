// Generates bodies from the schema of a route: valid ones, and valid ones with one to three errors.

import type { Random } from '../support/random.ts'

/** What JSON Schema says of a value, as far as our schemas use it. */
export interface Rule {
  readonly additionalProperties?: boolean | Rule
  readonly anyOf?: readonly Rule[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly items?: Rule
  readonly maxItems?: number
  readonly maxLength?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly minLength?: number
  readonly minimum?: number
  readonly pattern?: string
  readonly properties?: Readonly<Record<string, Rule>>
  readonly propertyNames?: Rule
  readonly required?: readonly string[]
  readonly type?: string | readonly string[]
}

export interface Grammar {
  right(): unknown
  /** Perhaps still right: a field that is left out may be one that nobody needs. */
  spoiled(): unknown
}

/** What some field or other takes. Addresses lead to this machine, where nobody listens. */
const TEXTS = [
  'u1',
  'comment',
  'short',
  'project-1',
  'EMAIL',
  'INAPP_WEB',
  'instant',
  'success',
  'ALL',
  'a@example.com',
  '+12025550123',
  'Europe/Berlin',
  '2027-01-01T00:00:00Z',
  '2026-11-20T04:34:37.557Z',
  '01937f6e-0000-7000-8000-000000000000',
  'http://127.0.0.1:1/a',
  '/c/1',
  'Hello {{ author }}',
  '{% if author %}{{ author | upcase }}{% endif %}',
  '<p onclick="x()">Text</p>',
  '😀 用户 \u202eabc',
  'a-secret-of-24-characters',
  'aGVsbG8=',
  'eyJ2IjoxfQ',
  "userId = 'u1' AND (type = 'comment')",
  'APN',
  'FCM',
  'read',
  '0'
]
const NUMBERS = [0, 1, 2, 7, 10, 60, 1000, 3650, 1_800_000_000, 1_795_000_000_000]

/** Wrong nearly everywhere; the rest of it is wrong in some way of its own. */
const SPOILS: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  -0.5,
  2 ** 53,
  1e300,
  '',
  ' ',
  'x',
  '\n',
  'a\r\nBcc: b@example.com',
  'x'.repeat(5_000),
  '😀'.repeat(300),
  '9'.repeat(40),
  '%00',
  "'; drop table users; --",
  '{{ a',
  '{% include "x" %}',
  'javascript:alert(1)',
  'https://[::1',
  '2026-02-30T25:00:00Z',
  '2026-11-20T04:34:37+99:99',
  '-271821-04-20T00:00:00Z',
  '+05:30',
  'toString',
  [],
  [null],
  [[]],
  [{}],
  ['x', 'x'],
  Array.from({ length: 60 }, () => 'x'),
  {},
  { $ne: null },
  { toString: 'x' },
  { length: 5 },
  { a: { b: { c: [] } } }
]

type Place = readonly (string | number)[]

export function grammar(root: Rule, next: Random): Grammar {
  const pick = <T>(of: readonly T[]): T => of[next(of.length)]!

  const text = ({ maxLength = Infinity, minLength = 0, pattern }: Rule): string => {
    const form = pattern === undefined ? undefined : new RegExp(pattern, 'u')
    const fits = TEXTS.filter(
      known => known.length >= minLength && known.length <= maxLength && (form?.test(known) ?? true)
    )
    return fits.length > 0 ? pick(fits) : 'x'.repeat(minLength)
  }

  const number = ({ maximum = 2 ** 53, minimum = 0 }: Rule): number => {
    const fits = NUMBERS.filter(known => known >= minimum && known <= maximum)
    return fits.length > 0 ? pick(fits) : minimum
  }

  const many = (least: number, most: number): number => Math.min(most, least + next(3))

  const object = (rule: Rule, depth: number): unknown => {
    const made: Record<string, unknown> = {}
    for (const [key, member] of Object.entries(rule.properties ?? {})) {
      // The deeper, the rarer, so that a body ends.
      if (rule.required?.includes(key) || next(2 + depth) === 0) made[key] = value(member, depth + 1)
    }
    const rest = rule.additionalProperties
    if (rest !== undefined && rest !== false) {
      for (let left = many(0, 2); left > 0; left -= 1) {
        const key = rule.propertyNames ? value(rule.propertyNames, depth) : text({})
        made[String(key)] = value(rest === true ? {} : rest, depth + 1)
      }
    }
    return made
  }

  const anything = (depth: number): unknown =>
    pick([
      () => text({}),
      () => number({}),
      () => next(2) === 0,
      () => null,
      () => (depth > 4 ? [] : [anything(depth + 1)]),
      () => (depth > 4 ? {} : { [text({})]: anything(depth + 1) })
    ])()

  const value = (rule: Rule, depth = 0): unknown => {
    if (rule.const !== undefined) return rule.const
    if (rule.enum) return pick(rule.enum)
    if (rule.anyOf) return value(pick(rule.anyOf), depth)
    switch (typeof rule.type === 'object' ? pick(rule.type) : rule.type) {
      case 'array':
        return Array.from({ length: many(rule.minItems ?? 0, rule.maxItems ?? 9) }, () =>
          value(rule.items ?? {}, depth + 1)
        )
      case 'boolean':
        return next(2) === 0
      case 'integer':
      case 'number':
        return number(rule)
      case 'null':
        return null
      case 'object':
        return object(rule, depth)
      case 'string':
        return text(rule)
      default:
        return anything(depth)
    }
  }

  const spoil = (whole: unknown): unknown => {
    const place = pick(placesIn(whole))
    const found = place.reduce((inside, key) => (inside as Readonly<Record<string, unknown>>)[key], whole)
    const kind = next(8)
    if (kind === 0 && place.length > 0) return changed(whole, place, undefined)
    if (kind === 1 && typeof found === 'string')
      return changed(whole, place, found.slice(0, 1_000).repeat(next(500)))
    if (kind === 2 && typeof found === 'number') return changed(whole, place, -found - 1)
    if (kind === 3) return changed(whole, place, [found])
    if (kind === 4) {
      return changed(whole, [...place, Array.isArray(found) ? found.length : 'surprise'], pick(SPOILS))
    }
    return changed(whole, place, pick(SPOILS))
  }

  return {
    right: () => value(root),
    spoiled: () => {
      let made = value(root)
      for (let left = 1 + next(3); left > 0; left -= 1) made = spoil(made)
      return made
    }
  }
}

/** Every place in a value, itself first. */
function placesIn(value: unknown, path: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [path]
  const inside = Object.entries(value).flatMap(([key, member]) =>
    placesIn(member, [...path, Array.isArray(value) ? Number(key) : key])
  )
  return [path, ...inside]
}

/** A copy with another value at a place. @param value - undefined leaves it out of an object */
function changed(whole: unknown, [key, ...rest]: Place, value: unknown): unknown {
  if (key === undefined) return value
  if (typeof whole !== 'object' || whole === null) return whole
  const copy = (Array.isArray(whole) ? [...whole] : { ...whole }) as Record<string | number, unknown>
  copy[key] = changed(copy[key], rest, value)
  return copy
}

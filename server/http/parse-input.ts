// Parses unknown JSON into a typed value, or throws a problem that names every wrong field.

import type { z } from 'zod'

import { safeParse } from '../core/safe-parse.ts'
import { Problem, type FieldProblem } from './problem.ts'

const MAX_ERRORS = 20

export interface InputOptions {
  /** `absent`: a member with the value `null` counts as not sent, at any depth. Default: `keep`. */
  readonly nulls?: 'keep' | 'absent'
  /** With `absent`: members of the outermost object whose content belongs to the caller and stays unchanged. */
  readonly verbatim?: readonly string[]
}

/**
 * Accepts `[]` as an empty object, because PHP encodes an empty map so.
 *
 * @throws Problem `invalid-request` with a pointer for each wrong field
 */
export function parseInput<S extends z.ZodType>(
  schema: S,
  value: unknown,
  { nulls = 'keep', verbatim = [] }: InputOptions = {}
): z.output<S> {
  if (value === undefined) {
    throw new Problem('invalid-request', 'A JSON body is required.', {
      errors: [{ detail: 'A JSON body is required.', pointer: '#' }]
    })
  }
  const given = schema.def.type === 'object' && isEmptyList(value) ? {} : value
  const parsed = safeParse(schema, nulls === 'absent' ? withoutNulls(given, verbatim) : given)
  if (parsed.success) return parsed.data
  const details = parsed.error.issues.flatMap(issue => describeIssue(issue))
  const shown = details.slice(0, MAX_ERRORS)
  throw invalidFields(
    shown.map(({ detail, path }) => ({ detail, pointer: toPointer(path) })),
    details.length
  )
}

/** Parses a query like {@link parseInput}; of a repeated name, the last value counts. */
export function parseQuery<S extends z.ZodType>(schema: S, query: URLSearchParams): z.output<S> {
  return parseInput(schema, Object.fromEntries(query))
}

/** @param count - of all wrong fields, if `errors` leaves some out */
export function invalidFields(errors: readonly FieldProblem[], count = errors.length): Problem {
  const detail = count === 1 ? '1 field is wrong.' : `${count} fields are wrong.`
  return new Problem('invalid-request', detail, { errors: errors.slice(0, MAX_ERRORS) })
}

/** Rewrites the pointers of a Problem that `work` throws. */
export function withPointers<T>(rewrite: (pointer: string) => string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const errors = error.errors.map(({ detail, pointer }) => ({ detail, pointer: rewrite(pointer) }))
    throw new Problem(error.slug, error.message, { errors })
  }
}

/** Puts a pointer, or a warning that begins with one, below another pointer. */
export const pointerBelow = (above: string, text: string): string => text.replace(/^#\/?$|^#/, () => above)

/** JSON pointer as URI fragment (RFC 6901, sections 3 and 6). */
export const toPointer = (path: readonly PropertyKey[]): string =>
  [
    '#',
    ...path.map(part =>
      encodeURI(String(part).toWellFormed())
        .replaceAll('~', '~0')
        .replaceAll('/', '~1')
        .replaceAll('#', '%23')
    )
  ].join('/')

export interface IssueDetail {
  readonly path: readonly PropertyKey[]
  readonly detail: string
}

/** Turns a zod issue into texts for clients, one per wrong value. */
export function describeIssue(issue: z.core.$ZodIssue, above: readonly PropertyKey[] = []): IssueDetail[] {
  const path = [...above, ...issue.path]
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map(key => ({
      detail: 'Unknown field. Check its spelling, or remove it.',
      path: [...path, key]
    }))
  }
  if (issue.code === 'invalid_union') {
    // The client most likely meant the alternative whose error is deepest.
    const [nearest] = issue.errors
      .filter(issues => issues.length > 0)
      .toSorted((a, b) => depthOf(b) - depthOf(a) || a.length - b.length)
    if (nearest && depthOf(nearest) > 0) return nearest.flatMap(inner => describeIssue(inner, path))
    if (issue.message !== UNNAMED) return [{ detail: detailOf(issue), path }]
    const expected = new Set(issue.errors.flat().map(inner => detailOf(inner).replace(/\.$/, '')))
    // An empty value is no useful hint for a client that sent one.
    for (const one of expected) if (expected.size > 1 && NOTHING.test(one)) expected.delete(one)
    return [{ detail: `${[...expected].join(', or: ') || UNNAMED}.`, path }]
  }
  if (issue.code === 'invalid_key' || issue.code === 'invalid_element') {
    return issue.issues.flatMap(inner => describeIssue({ ...inner, path: [] }, path))
  }
  return [{ detail: detailOf(issue), path }]
}

const UNNAMED = 'Invalid input'

/** Messages that ask for an empty text or null. */
const NOTHING = /^Expected (?:""|null, received \w+)$/

const depthOf = (issues: readonly z.core.$ZodIssue[]): number =>
  issues.reduce((deepest, { path }) => Math.max(deepest, path.length), 0)

function detailOf(issue: z.core.$ZodIssue): string {
  if (issue.message.endsWith('received undefined')) return 'This field is required.'
  if (issue.code === 'invalid_value' && issue.message.startsWith('Invalid option')) {
    return `Expected one of ${issue.values.join(', ')}.`
  }
  return (
    issue.message
      .replace(/^Invalid input: e/, 'E')
      .replace(/^Expected record\b/, 'Expected object')
      // A query parameter that is no number, or is missing.
      .replace(/, received NaN$/, '')
      .replace(SIZE, (_, sign: keyof typeof COMPARISONS) => `Expected ${COMPARISONS[sign]} `)
      .replace(/ 1 (\w+)s$/, ' 1 $1')
      .replace(/([^.])$/, '$1.')
  )
}

const SIZE = /^Too (?:big|small): expected \w+ to (?:be|have) ([<>]=?)/
const COMPARISONS = { '<': 'less than', '<=': 'at most', '>': 'more than', '>=': 'at least' }

/** Names of members that are maps, with the maps inside them. */
export interface Maps {
  readonly [name: string]: Maps
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0

/** Removes `[]` from members that are maps: PHP encodes an empty map so. */
export function withoutEmptyMaps(value: unknown, maps: Maps): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const kept = Object.entries(value).flatMap(([key, member]) => {
    const inner = Object.hasOwn(maps, key) ? maps[key] : undefined
    if (inner === undefined) return [[key, member] as const]
    if (isEmptyList(member)) return []
    const isLeaf = Object.keys(inner).length === 0
    return [[key, isLeaf ? member : withoutEmptyMaps(member, inner)] as const]
  })
  return Object.fromEntries(kept)
}

/** The body reader bounds the depth, so recursion is safe. */
function withoutNulls(value: unknown, verbatim: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map(item => withoutNulls(item, []))
  if (typeof value !== 'object' || value === null) return value
  const kept: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value)) {
    if (member !== null) kept[key] = verbatim.includes(key) ? member : withoutNulls(member, [])
  }
  return kept
}

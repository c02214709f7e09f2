// From unknown JSON to a typed value, or to a problem that names every field that is wrong.

import type { z } from 'zod'

import { safeParse } from '../core/safe-parse.ts'
import { Problem, type FieldProblem } from './problem.ts'

/** Most fields that one problem names. */
const ERRORS_SHOWN = 20

export interface InputOptions {
  /** `absent`: a member whose value is `null` counts as not sent, at any depth (spec/wire.md 3). Default `keep`. */
  readonly nulls?: 'keep' | 'absent'
  /** With `absent`: members of the outermost object whose content is the caller's own and stays as it is. */
  readonly verbatim?: readonly string[]
}

/**
 * Where an object is expected, `[]` is one without members: so PHP and others write an empty map.
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
  const read = safeParse(schema, nulls === 'absent' ? withoutNulls(given, verbatim) : given)
  if (read.success) return read.data
  const faults = read.error.issues.flatMap(issue => faultsOf(issue))
  const shown = faults.slice(0, ERRORS_SHOWN)
  throw wrongFields(
    shown.map(({ detail, path }) => ({ detail, pointer: pointerOf(path) })),
    faults.length
  )
}

/** As {@link parseInput} for the query of an address; of a repeated name the last value counts. */
export function parseQuery<S extends z.ZodType>(schema: S, query: URLSearchParams): z.output<S> {
  return parseInput(schema, Object.fromEntries(query))
}

/** The problem that names them. @param count - of all, also of those that `errors` leaves out */
export function wrongFields(errors: readonly FieldProblem[], count = errors.length): Problem {
  const detail = count === 1 ? '1 field is wrong.' : `${count} fields are wrong.`
  return new Problem('invalid-request', detail, { errors: errors.slice(0, ERRORS_SHOWN) })
}

/** JSON pointer as URI fragment (RFC 6901, sections 3 and 6). */
export const pointerOf = (path: readonly PropertyKey[]): string =>
  [
    '#',
    ...path.map(part =>
      encodeURI(String(part).toWellFormed())
        .replaceAll('~', '~0')
        .replaceAll('/', '~1')
        .replaceAll('#', '%23')
    )
  ].join('/')

/** What is wrong, and where: `path` leads there from the value. */
export interface Fault {
  readonly path: readonly PropertyKey[]
  readonly detail: string
}

/** What a schema complains about, in the words of all answers. */
export function faultsOf(issue: z.core.$ZodIssue, above: readonly PropertyKey[] = []): Fault[] {
  const path = [...above, ...issue.path]
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map(key => ({ detail: 'This field is not known.', path: [...path, key] }))
  }
  if (issue.code === 'invalid_union') {
    // The alternative that got furthest is the one that was meant.
    const [nearest] = issue.errors
      .filter(issues => issues.length > 0)
      .toSorted((a, b) => depthOf(b) - depthOf(a) || a.length - b.length)
    if (nearest && depthOf(nearest) > 0) return nearest.flatMap(inner => faultsOf(inner, path))
    if (issue.message !== UNNAMED) return [{ detail: detailOf(issue), path }]
    const expected = new Set(issue.errors.flat().map(inner => detailOf(inner).replace(/\.$/, '')))
    // That nothing may stand there, too, helps nobody who wrote something.
    for (const one of expected) if (expected.size > 1 && NOTHING.test(one)) expected.delete(one)
    return [{ detail: `${[...expected].join(', or: ') || UNNAMED}.`, path }]
  }
  if (issue.code === 'invalid_key' || issue.code === 'invalid_element') {
    return issue.issues.flatMap(inner => faultsOf({ ...inner, path: [] }, path))
  }
  return [{ detail: detailOf(issue), path }]
}

/** What a union says that has no words of its own. */
const UNNAMED = 'Invalid input'

/** How a text or null that says "nothing" is asked for. */
const NOTHING = /^Expected (?:""|null, received \w+)$/

const depthOf = (issues: readonly z.core.$ZodIssue[]): number =>
  issues.reduce((deepest, { path }) => Math.max(deepest, path.length), 0)

function detailOf(issue: z.core.$ZodIssue): string {
  if (issue.message.endsWith('received undefined')) return 'This field is required.'
  if (issue.code === 'invalid_value' && issue.message.startsWith('Invalid option')) {
    return `Expected one of ${issue.values.join(', ')}.`
  }
  return issue.message
    .replace(/^Invalid input: e/, 'E')
    .replace(/^Expected record\b/, 'Expected object')
    .replace(SIZE, (_, sign: keyof typeof SIGNS) => `Expected ${SIGNS[sign]} `)
    .replace(/ 1 (\w+)s$/, ' 1 $1')
    .replace(/([^.])$/, '$1.')
}

/** How zod begins to say that something is too large or too small. */
const SIZE = /^Too (?:big|small): expected \w+ to (?:be|have) ([<>]=?)/
const SIGNS = { '<': 'less than', '<=': 'at most', '>': 'more than', '>=': 'at least' }

/** Names of members that are maps, each with those within it. */
export interface Maps {
  readonly [name: string]: Maps
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0

/** PHP and others write an empty map as `[]`: where a map is expected it says nothing. */
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

/** Depth is bounded by the body reader, so recursion is safe. */
function withoutNulls(value: unknown, verbatim: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map(item => withoutNulls(item, []))
  if (typeof value !== 'object' || value === null) return value
  const kept: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value)) {
    if (member !== null) kept[key] = verbatim.includes(key) ? member : withoutNulls(member, [])
  }
  return kept
}

// Parses with a zod schema, and reports an issue also for values that make zod throw.

import { z } from 'zod'

/**
 * zod compares the `length` of a value before it reports that the value is neither a text nor a list. It throws if that `length`
 * is an object without a usable `toString`.
 */
export function safeParse<S extends z.ZodType>(schema: S, value: unknown): z.ZodSafeParseResult<z.output<S>> {
  try {
    return schema.safeParse(value)
  } catch (error) {
    const path = findObjectLength(value, [])
    if (!path) throw error
    const issue = { code: 'custom', input: value, message: 'Expected another kind of value.', path } as const
    return { error: new z.ZodError([issue]) as z.ZodError<z.output<S>>, success: false }
  }
}

/** @returns the path of the first object whose `length` is an object */
function findObjectLength(value: unknown, path: readonly string[]): string[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (!Array.isArray(value) && 'length' in value && typeof value.length === 'object') return [...path]
  for (const [key, member] of Object.entries(value)) {
    const found = findObjectLength(member, [...path, key])
    if (found) return found
  }
  return undefined
}

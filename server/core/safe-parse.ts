// What a schema says of a value, also of one that makes the library throw.

import { z } from 'zod'

/**
 * The library compares the `length` of what stands where a text or a list belongs before it says that it is neither, and
 * an object whose `toString` is none cannot be compared: it throws then.
 */
export function safeParse<S extends z.ZodType>(schema: S, value: unknown): z.ZodSafeParseResult<z.output<S>> {
  try {
    return schema.safeParse(value)
  } catch (error) {
    const path = oddLengthIn(value, [])
    if (!path) throw error
    const issue = { code: 'custom', input: value, message: 'Expected another kind of value.', path } as const
    return { error: new z.ZodError([issue]) as z.ZodError<z.output<S>>, success: false }
  }
}

/** @returns where the first object stands whose `length` is one, too */
function oddLengthIn(value: unknown, path: readonly string[]): string[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (!Array.isArray(value) && 'length' in value && typeof value.length === 'object') return [...path]
  for (const [key, member] of Object.entries(value)) {
    const found = oddLengthIn(member, [...path, key])
    if (found) return found
  }
  return undefined
}

// Finds fields that a schema does not have. They are ignored with a warning, because the value of a misspelt field is lost.

import { z } from 'zod'

import { didYouMean } from '../core/did-you-mean.ts'
import { toPointer } from './parse-input.ts'
import type { FieldProblem } from './problem.ts'

/** The known keys of an object with their subtrees. */
export interface KnownKeys {
  readonly keys: ReadonlyMap<string, KnownFields | undefined>
}

/** Those of an object, or the items of an array. */
export type KnownFields = KnownKeys | { readonly items: KnownFields }

/** Reads the tree from a schema. @returns undefined if no field below can be unknown */
export function knownFields(schema: z.core.$ZodType): KnownFields | undefined {
  if (schema instanceof z.ZodObject) {
    if (schema.def.catchall !== undefined && !(schema.def.catchall instanceof z.ZodNever)) return undefined
    const shape = Object.entries(schema.shape as Record<string, z.core.$ZodType>)
    return { keys: new Map(shape.map(([key, member]) => [key, knownFields(member)])) }
  }
  if (schema instanceof z.ZodArray) {
    const items = knownFields(schema.element)
    return items && { items }
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return knownFields(schema.unwrap())
  if (schema instanceof z.ZodPipe) return knownFields(schema.in)
  return undefined
}

/** Bounds of the warnings, which are stored with the send. */
const MAX_WARNINGS = 20
const MAX_POINTER_CHARACTERS = 200

const shorten = (pointer: string): string =>
  pointer.length > MAX_POINTER_CHARACTERS ? `${pointer.slice(0, MAX_POINTER_CHARACTERS)}…` : pointer

/** @returns a warning for each unknown field, at most {@link MAX_WARNINGS} */
export function unknownFields(value: unknown, known: KnownFields): string[] {
  const found: string[] = []
  collect(value, known, [], found)
  return found
}

/**
 * Finds the members of an object whose names are nearly those of known fields, for operations that would do more than meant without
 * them.
 */
export function misspeltFields(value: object, { keys }: KnownKeys): FieldProblem[] {
  const known = [...keys.keys()]
  return Object.keys(value).flatMap(key => {
    const suggestion = keys.has(key) ? undefined : didYouMean(key, known)
    if (suggestion === undefined) return []
    return [{ detail: `Unknown field. Did you mean ${suggestion}?`, pointer: shorten(toPointer([key])) }]
  })
}

function warning(path: readonly PropertyKey[], known: ReadonlyMap<string, unknown>): string {
  const suggestion = didYouMean(String(path.at(-1)), [...known.keys()])
  const hint = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`
  return `${shorten(toPointer(path))}: unknown field, ignored.${hint}`
}

function collect(value: unknown, known: KnownFields, path: PropertyKey[], found: string[]): void {
  if (typeof value !== 'object' || value === null || found.length >= MAX_WARNINGS) return
  if ('items' in known) {
    if (Array.isArray(value))
      for (const [i, item] of value.entries()) collect(item, known.items, [...path, i], found)
    return
  }
  for (const key of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[key]
    if (!known.keys.has(key)) {
      if (member !== null && found.length < MAX_WARNINGS) found.push(warning([...path, key], known.keys))
      continue
    }
    const subtree = known.keys.get(key)
    if (subtree) collect(member, subtree, [...path, key], found)
  }
}

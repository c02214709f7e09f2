// Fields that a schema does not know: they are ignored, and the caller is told, because a misspelt field is a lost one.

import { z } from 'zod'

import { didYouMean } from '../core/did-you-mean.ts'
import { pointerOf } from './parse-input.ts'

/** What may stand in a value: known keys with their own trees, or the items of an array. */
export type Known = { readonly keys: ReadonlyMap<string, Known | undefined> } | { readonly items: Known }

/** Reads the tree from a schema once; undefined where nothing below can be unknown. */
export function knownOf(schema: z.core.$ZodType): Known | undefined {
  if (schema instanceof z.ZodObject) {
    if (schema.def.catchall !== undefined && !(schema.def.catchall instanceof z.ZodNever)) return undefined
    const shape = Object.entries(schema.shape as Record<string, z.core.$ZodType>)
    return { keys: new Map(shape.map(([key, member]) => [key, knownOf(member)])) }
  }
  if (schema instanceof z.ZodArray) {
    const items = knownOf(schema.element)
    return items && { items }
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return knownOf(schema.unwrap())
  if (schema instanceof z.ZodPipe) return knownOf(schema.in)
  return undefined
}

/** Most fields that are named, and characters of each: warnings are stored with the send. */
const SHOWN = 20
const LENGTH = 200

const short = (pointer: string): string =>
  pointer.length > LENGTH ? `${pointer.slice(0, LENGTH)}…` : pointer

/** A warning for each field that the schema does not know, at most {@link SHOWN}. */
export function unknownFields(value: unknown, known: Known): string[] {
  const found: string[] = []
  collect(value, known, [], found)
  return found
}

function warning(path: readonly PropertyKey[], known: ReadonlyMap<string, unknown>): string {
  const other = didYouMean(String(path.at(-1)), [...known.keys()])
  const hint = other === undefined ? '' : ` Did you mean ${other}?`
  return `${short(pointerOf(path))}: this field is not known and was ignored.${hint}`
}

function collect(value: unknown, known: Known, path: PropertyKey[], found: string[]): void {
  if (typeof value !== 'object' || value === null || found.length >= SHOWN) return
  if ('items' in known) {
    if (Array.isArray(value))
      for (const [i, item] of value.entries()) collect(item, known.items, [...path, i], found)
    return
  }
  for (const key of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[key]
    if (!known.keys.has(key)) {
      if (member !== null && found.length < SHOWN) found.push(warning([...path, key], known.keys))
      continue
    }
    const below = known.keys.get(key)
    if (below) collect(member, below, [...path, key], found)
  }
}

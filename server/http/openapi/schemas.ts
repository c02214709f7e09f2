// Builds JSON Schemas from the zod schemas that routes parse with.
//
// Patterns are read by RE2 and by Python too, which know no look-aheads, `\u` escapes, and in part no `\p` classes. A
// regular expression that needs one names a simpler pattern in its `meta`, which accepts at least as much.

import { z } from 'zod'

import type { Doc } from '../route-doc.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

export interface Schemas {
  readonly all: Readonly<Record<string, JsonSchema>>
  ref(schema: z.ZodType): JsonSchema
}

const AT = '#/components/schemas/'
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/**
 * Builds the schemas of bodies (as input) and answers (as output). A schema of several operations is named after the first one.
 */
export function createSchemas(docs: readonly Doc[]): Schemas {
  const names = new Map<z.ZodType, string>()
  const collect = (part: 'answer' | 'body', ending: string, io: 'input' | 'output') => {
    const registry = z.registry<{ id: string }>()
    for (const doc of docs) {
      const schema = doc[part]
      if (!schema || names.has(schema)) continue
      const id = capital(doc.operationId) + ending
      names.set(schema, id)
      registry.add(schema, { id })
    }
    return z.toJSONSchema(registry, { io, unrepresentable: 'any', uri: id => AT + id }).schemas
  }
  const all = { ...collect('body', 'Body', 'input'), ...collect('answer', 'Answer', 'output') }
  return {
    all: Object.fromEntries(Object.entries(all).map(([id, schema]) => [id, plain(schema)])),
    ref: schema => ({ $ref: AT + names.get(schema)! })
  }
}

export function queryParameters(schema: z.ZodObject): JsonSchema[] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return Object.entries(properties).map(([name, property]) => ({
    in: 'query',
    name,
    required: required.includes(name),
    schema: property as JsonSchema
  }))
}

/** Removes dialect and id, which OpenAPI defines itself. */
const plain = ({ $id: _id, $schema: _dialect, ...schema }: JsonSchema): JsonSchema => schema

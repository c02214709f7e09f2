// Builds JSON Schemas from the zod schemas that routes parse with.
//
// Patterns are read by RE2 and by Python too, which know no look-aheads, `\u` escapes, and in part no `\p` classes. A
// regular expression that needs one names a simpler pattern in its `meta`, which accepts at least as much.

import { z } from 'zod'

import type { Doc, Forms } from '../route-doc.ts'

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
    all: Object.fromEntries(Object.entries(all).flatMap(([id, schema]) => withForms(id, plain(schema)))),
    ref: schema => ({ $ref: AT + names.get(schema)! })
  }
}

export function queryParameters(schema: z.ZodObject): JsonSchema[] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return Object.entries(properties).map(([name, property]) =>
    queryParameter(name, required.includes(name), property as JsonSchema)
  )
}

/** Generators read description and deprecation of a parameter beside its schema. */
const queryParameter = (
  name: string,
  required: boolean,
  { deprecated, description, ...schema }: JsonSchema
): JsonSchema => ({
  ...(deprecated === true && { deprecated }),
  ...(description !== undefined && { description }),
  in: 'query',
  name,
  required,
  schema
})

/**
 * Splits a body that has alternatives (`forms`) into one schema for each and one for their common fields. Generators ignore a list of
 * alternatives that only says which fields are required.
 */
function withForms(id: string, { forms, ...schema }: JsonSchema): [string, JsonSchema][] {
  if (forms === undefined) return [[id, schema]]
  const all = Object.entries(schema['properties'] as Readonly<Record<string, JsonSchema>>)
  const alternatives = Object.entries(forms as Forms).map(([name, { optional = [], required }]) => ({
    name,
    own: new Set([...required, ...optional]),
    required
  }))
  const common = all.filter(([field]) => alternatives.every(({ own }) => !own.has(field)))
  return [
    [id, { anyOf: alternatives.map(({ name }) => ({ $ref: AT + name })) }],
    [`${id}Fields`, { properties: Object.fromEntries(common), type: 'object' }],
    ...alternatives.map(({ name, own, required }): [string, JsonSchema] => {
      const properties = Object.fromEntries(all.filter(([field]) => own.has(field)))
      return [name, { allOf: [{ $ref: `${AT}${id}Fields` }, { properties, required, type: 'object' }] }]
    })
  ]
}

/** Removes dialect and id, which OpenAPI defines itself. */
const plain = ({ $id: _id, $schema: _dialect, ...schema }: JsonSchema): JsonSchema => schema

// The reference says of every field that a request may have what it means, and whether it must have it.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { z } from 'zod'

import type { Doc } from '../../../server/http/route-doc.ts'
import { startApp } from '../../security/app.ts'

interface Schema {
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

const toJson = (body: z.ZodType): Schema =>
  z.toJSONSchema(body, { io: 'input', reused: 'inline', unrepresentable: 'any' }) as Schema

/** Paths of fields without a description. */
function wordless({ anyOf = [], items, properties = {} }: Schema, path: string): string[] {
  const fields = Object.entries(properties).map(([name, field]) => ({ at: `${path}/${name}`, field }))
  const inside = [...anyOf, ...(items ? [items] : [])]
  return [
    ...fields.filter(({ field }) => field.description === undefined).map(({ at }) => at),
    ...fields.flatMap(({ at, field }) => wordless(field, at)),
    ...inside.flatMap(inner => wordless(inner, path))
  ]
}

test('every field of every body has its words', async () => {
  await using app = await startApp()
  const docs = app.routes.flatMap(({ doc }): Doc[] => (doc?.body ? [doc] : []))
  assert.ok(docs.length > 15)
  const missing = docs.flatMap(({ body, operationId }) => wordless(toJson(body!), operationId))
  assert.deepEqual([...new Set(missing)], [])
})

test('a field is required in the reference where a body without it is refused for that', async () => {
  await using app = await startApp()
  const bodies = app.routes.flatMap(({ doc }) => (doc?.body ? [{ doc, schema: doc.body }] : []))
  const wrong = bodies.flatMap(({ doc, schema }) => {
    const { properties = {}, required = [] } = toJson(schema)
    const missed = schema.safeParse({}).error?.issues.map(({ path }) => String(path[0])) ?? []
    return Object.keys(properties)
      .filter(name => missed.includes(name) !== required.includes(name))
      .map(name => `${doc.operationId}/${name}`)
  })
  assert.deepEqual([...new Set(wrong)], [])
})

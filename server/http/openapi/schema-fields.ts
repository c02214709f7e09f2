// Renders a JSON Schema as an HTML list of fields with type and description; nested fields are folded.

import { escapeHtml } from '../../core/escape-html.ts'
import type { JsonSchema } from './schemas.ts'

/** Escapes a text of the reference and renders its only markup, `code` and paragraphs. */
export const prose = (text: string): string =>
  escapeHtml(text)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\n\n+/g, '</p><p>')

export type Components = Readonly<Record<string, JsonSchema>>

/** Deeper levels are shown only in the OpenAPI document. */
const MAX_DEPTH = 5

const list = (value: unknown): readonly JsonSchema[] => (Array.isArray(value) ? (value as JsonSchema[]) : [])

const resolve = (schema: JsonSchema, components: Components): JsonSchema => {
  const name = typeof schema['$ref'] === 'string' ? schema['$ref'].split('/').at(-1)! : undefined
  return name === undefined ? schema : (components[name] ?? {})
}

const alternatives = (schema: JsonSchema): readonly JsonSchema[] => [
  ...list(schema['anyOf']),
  ...list(schema['oneOf'])
]

export function typeOf(schema: JsonSchema): string {
  const { const: fixed, enum: values, format, items, maximum, minimum, maxLength, type } = schema
  if (fixed !== undefined) return JSON.stringify(fixed)
  if (Array.isArray(values)) return values.map(value => JSON.stringify(value)).join(' | ')
  // Some clients send an empty text for no value; the reference does not show it.
  const options = alternatives(schema).filter(option => option['const'] !== '')
  if (options.length > 0) return [...new Set(options.map(typeOf))].join(' or ')
  if (type === 'array') return `list of ${typeOf((items ?? {}) as JsonSchema)}`
  if (typeof type !== 'string') return 'anything'
  // The range of safe integers is no useful limit.
  const isLimit = (limit: unknown): limit is number =>
    typeof limit === 'number' && Math.abs(limit) < Number.MAX_SAFE_INTEGER
  const limits = [
    ...(isLimit(minimum) ? [`from ${minimum}`] : []),
    ...(isLimit(maximum) ? [`to ${maximum}`] : []),
    ...(typeof maxLength === 'number' ? [`up to ${maxLength} characters`] : [])
  ]
  return [typeof format === 'string' ? `${type} (${format})` : type, ...limits].join(' ')
}

/** Returns the object schema whose fields are shown: the schema itself, its items, or its first alternative. */
function objectIn(schema: JsonSchema, components: Components): JsonSchema | undefined {
  const own = resolve(schema, components)
  if (typeof own['properties'] === 'object') return own
  const parts = list(own['allOf']).map(part => objectIn(part, components) ?? {})
  if (parts.length > 0) {
    return {
      // Required fields come first: they are in the last part.
      properties: Object.assign({}, ...parts.toReversed().map(part => part['properties'])),
      required: parts.flatMap(part => (part['required'] ?? []) as string[])
    }
  }
  if (own['type'] === 'array' && own['items']) return objectIn(own['items'] as JsonSchema, components)
  for (const option of alternatives(own)) {
    const found = objectIn(option, components)
    if (found) return found
  }
  return undefined
}

/** @returns HTML of all fields, or `''` if the schema has none */
export function fieldsOf(schema: JsonSchema, components: Components, depth = 1): string {
  const object = objectIn(schema, components)
  if (!object) return ''
  const required = new Set((object['required'] ?? []) as string[])
  const rows = Object.entries(object['properties'] as Record<string, JsonSchema>).map(([name, field]) => {
    const own = resolve(field, components)
    const description = field['description'] ?? own['description']
    const about = typeof description === 'string' ? `<p>${prose(description)}</p>` : ''
    const within = depth < MAX_DEPTH ? fieldsOf(own, components, depth + 1) : ''
    const head = `<code>${escapeHtml(name)}</code>${required.has(name) ? ' <b>required</b>' : ''} <i>${escapeHtml(typeOf(own))}</i>`
    return within === ''
      ? `<li>${head}${about}</li>`
      : `<li><details><summary>${head}</summary>${about}${within}</details></li>`
  })
  return `<ul>${rows.join('\n')}</ul>`
}

// The fields of a JSON Schema: name, type and limits, and one sentence. Nested fields are folded, and so are former names.

import { escapeHtml } from '../../core/escape-html.ts'
import { html, Html } from '../../core/html.ts'
import type { JsonSchema } from '../openapi/schemas.ts'
import { icon } from './icons.ts'
import type { Components } from './reference-document.ts'

/** Escapes a text of the reference and renders its only mark-up, `code` and paragraphs. */
export const prose = (text: string): Html =>
  new Html(
    escapeHtml(text)
      .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
      .replaceAll(/\n\n+/g, '</p><p>')
  )

/** Deeper levels are shown only in the OpenAPI document. */
const MAX_DEPTH = 5

const list = (value: unknown): readonly JsonSchema[] => (Array.isArray(value) ? (value as JsonSchema[]) : [])

const resolve = (schema: JsonSchema, components: Components): JsonSchema => {
  const name = typeof schema['$ref'] === 'string' ? schema['$ref'].split('/').at(-1)! : undefined
  return name === undefined ? schema : (components[name] ?? {})
}

/** Some clients send an empty text for no value; the reference does not show it. */
const alternatives = (schema: JsonSchema): readonly JsonSchema[] =>
  [...list(schema['anyOf']), ...list(schema['oneOf'])].filter(option => option['const'] !== '')

/** The range of safe integers is no useful limit. */
const isLimit = (limit: unknown): limit is number =>
  typeof limit === 'number' && Math.abs(limit) < Number.MAX_SAFE_INTEGER

/** @returns such as `1 to 50`, `up to 50`, `at least 1`; undefined without limits */
function rangeOf(least: unknown, most: unknown): string | undefined {
  if (isLimit(least) && isLimit(most)) return least === most ? `${most}` : `${least} to ${most}`
  if (isLimit(most)) return `up to ${most}`
  return isLimit(least) && least !== 0 ? `at least ${least}` : undefined
}

const FORMATS: Readonly<Record<string, string>> = { 'date-time': 'instant' }

/** Type and limits in words. Values of a choice are shown apart. */
export function typeOf(schema: JsonSchema, components: Components): string {
  const { const: fixed, enum: values, format, items, type } = schema
  if (fixed !== undefined) return JSON.stringify(fixed)
  if (Array.isArray(values)) return 'one of'
  const options = alternatives(schema)
  if (options.length > 0)
    return [...new Set(options.map(option => typeOf(resolve(option, components), components)))].join(' or ')
  if (type === 'array') {
    const one = typeOf(resolve((items ?? {}) as JsonSchema, components), components)
    const range = rangeOf(schema['minItems'], schema['maxItems'])
    return `list of ${one === 'one of' ? 'values' : `${one}s`.replace(/ss$/, 's')}${range ? `, ${range}` : ''}`
  }
  if (schema['properties'] || schema['allOf']) return 'object'
  if (typeof type !== 'string') return 'anything'
  const characters = rangeOf(schema['minLength'], schema['maxLength'])
  const range = rangeOf(schema['minimum'], schema['maximum'])
  const word = typeof format === 'string' ? (FORMATS[format] ?? `${type} (${format})`) : type
  return [word, ...(characters ? [`${characters} characters`] : []), ...(range ? [range] : [])].join(', ')
}

/** The values that a field can have, if it is a choice. */
function valuesOf(schema: JsonSchema): readonly unknown[] {
  const own = Array.isArray(schema['enum']) ? schema['enum'] : []
  const items = schema['items'] as JsonSchema | undefined
  return [...own, ...(items ? valuesOf(items) : []), ...alternatives(schema).flatMap(valuesOf)]
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

/** Returns a value whose objects have the order of the schema: examples are written in alphabetical order, and read in this one. */
export function inSchemaOrder(value: unknown, schema: JsonSchema, components: Components): unknown {
  if (Array.isArray(value)) return value.map(one => inSchemaOrder(one, schema, components))
  if (typeof value !== 'object' || value === null) return value
  const properties = objectIn(schema, components)?.['properties'] as Record<string, JsonSchema> | undefined
  if (!properties) return value
  const names = Object.keys(properties)
  const entries = Object.entries(value as Record<string, unknown>)
    .toSorted(([a], [b]) => names.indexOf(a) - names.indexOf(b))
    .map(([name, field]) => [name, inSchemaOrder(field, properties[name] ?? {}, components)])
  return Object.fromEntries(entries) as unknown
}

export interface Field {
  readonly name: string
  readonly schema: JsonSchema
  readonly description?: string | undefined
  readonly isRequired: boolean
  /** Beside the type, such as `in the path`. */
  readonly place?: string
}

interface Place {
  readonly components: Components
  /** Address of the list, such as `send.body`. */
  readonly id: string
  readonly depth: number
}

const isFormer = ({ deprecated, description }: JsonSchema): boolean =>
  deprecated === true || /^(?:Former|Another) name/.test(String(description ?? ''))

function renderField({ description, isRequired, name, place, schema }: Field, at: Place): Html {
  const { components, depth } = at
  const id = `${at.id}.${name}`
  const values = valuesOf(schema)
  const within = depth < MAX_DEPTH ? fieldsIn(schema, { ...at, depth: depth + 1, id }) : []
  const type = [...(place ? [place] : []), typeOf(schema, components)].join(', ')
  return html`<div class="field" id="${id}">
    <p class="field-head">
      <a class="field-name">${name}</a>
      <span class="meta">${type}</span>${isRequired && html` <b class="required">required</b>`}
    </p>
    ${description !== undefined && html`<p>${prose(description)}</p>`}${
      values.length > 0 &&
      html`<p class="values">${values.map(value => html`<code>${String(value)}</code> `)}</p>`
    }${within.length > 0 && fold(within.length === 1 ? '1 field' : `${within.length} fields`, within)}
  </div>`
}

const fold = (title: string, fields: readonly Html[]): Html =>
  html`<details class="fold">
    <summary>${icon('chevron', 'small')}${title}</summary>
    <div class="fields">${fields}</div>
  </details>`

/** Renders fields; former names are folded, because new clients do not need them. */
export function renderFields(fields: readonly Field[], at: Place): readonly Html[] {
  const current = fields.filter(({ schema }) => !isFormer(schema))
  const former = fields.filter(({ schema }) => isFormer(schema))
  const rows = current.map(field => renderField(field, at))
  if (former.length === 0) return rows
  const title = `${former.length} older ${former.length === 1 ? 'name' : 'names'} that still work`
  return [
    ...rows,
    fold(
      title,
      former.map(field => renderField(field, at))
    )
  ]
}

/** Renders all fields of a schema, none if it is no object. */
export function fieldsIn(schema: JsonSchema, at: Place): readonly Html[] {
  const object = objectIn(schema, at.components)
  if (!object) return []
  const required = new Set((object['required'] ?? []) as string[])
  const fields = Object.entries(object['properties'] as Record<string, JsonSchema>).map(
    ([name, field]): Field => {
      const own = resolve(field, at.components)
      const description = field['description'] ?? own['description']
      return {
        description: typeof description === 'string' ? description : undefined,
        isRequired: required.has(name),
        name,
        schema: field['deprecated'] === true ? { ...own, deprecated: true } : own
      }
    }
  )
  return renderFields(fields, at)
}

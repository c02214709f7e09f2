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

/** Lists of fields that stand in the page. One that comes again only names the first one. */
export class ShownLists {
  readonly #addresses = new Map<string, string>()

  /** @returns address of the same list; undefined: there is none, and from now on it is this one */
  find(content: string, address: string): string | undefined {
    const first = this.#addresses.get(content)
    if (first === undefined) this.#addresses.set(content, address)
    return first
  }
}

interface Place {
  readonly components: Components
  /** Address of the list, such as `send.body`. */
  readonly id: string
  readonly depth: number
  readonly shown: ShownLists
}

const isFormer = ({ deprecated, description }: JsonSchema): boolean =>
  deprecated === true || /^(?:Former|Another) name/.test(String(description ?? ''))

/** A shorter list costs less than a link to it. */
const MIN_SHARED_CHARACTERS = 400

/** What a field says with everything in it, also with lists that stand elsewhere. */
const contents = new WeakMap<Html, string>()
const contentOf = (fields: readonly Html[]): string =>
  fields.map(field => contents.get(field) ?? field.text).join('')

function renderField({ description, isRequired, name, place, schema }: Field, at: Place): Html {
  const { components, depth } = at
  const id = `${at.id}.${name}`
  const values = valuesOf(schema)
  const within = depth < MAX_DEPTH ? fieldsIn(schema, { ...at, depth: depth + 1, id }) : []
  const type = [...(place ? [place] : []), typeOf(schema, components)].join(', ')
  const isLong = within.reduce((sum, { text }) => sum + text.length, 0) >= MIN_SHARED_CHARACTERS
  const folded = within.length > 0 && foldFields(within, { ...at, id })
  // Names have no classes, because there are more than a thousand.
  const about = html`<p><a>${name}</a> <i>${type}</i>${isRequired && html` <b>required</b>`}</p>
    ${description !== undefined && html`<p>${prose(description)}</p>`}${
      values.length > 0 &&
      html`<p class="values">${values.map(value => html`<code>${String(value)}</code> `)}</p>`
    }`
  // The script gives every field its address, which follows from its place. Without it, these are needed.
  const field = html`<div class="field" ${isLong && html` id="${id}"`}>${about}${folded}</div>`
  contents.set(field, `${about.text}${contentOf(within)}\n`)
  return field
}

/**
 * Renders a list of fields, or its place in the page if the same list stands there already: the script shows it here when a reader
 * opens it.
 *
 * @param at - address of the list
 */
export function listOrReference(
  fields: readonly Html[],
  { id, shown }: Pick<Place, 'id' | 'shown'>
): { readonly content: Html; readonly sameAs: string | undefined } {
  const key = contentOf(fields)
  const sameAs = key.length < MIN_SHARED_CHARACTERS ? undefined : shown.find(key, id)
  return sameAs === undefined
    ? { content: html`${fields}`, sameAs }
    : {
        content: html`<p>The same as in <a href="#${sameAs}">${sameAs.replaceAll('.', ' › ')}</a>.</p>`,
        sameAs
      }
}

/** Folds a list of fields. @param at - address of the list */
function foldFields(fields: readonly Html[], at: Pick<Place, 'id' | 'shown'>): Html {
  const { content, sameAs } = listOrReference(fields, at)
  return fold(fields.length === 1 ? '1 field' : `${fields.length} fields`, content, sameAs)
}

const fold = (title: string, content: Html, sameAs?: string): Html =>
  html`<details class="fold" ${sameAs !== undefined && html` data-same="${sameAs}"`}>
    <summary>${icon('chevron', 'small')}${title}</summary>
    <div class="fields">${content}</div>
  </details>`

/** Renders fields; former names are folded, because new clients do not need them. */
export function renderFields(fields: readonly Field[], at: Place): readonly Html[] {
  const current = fields.filter(({ schema }) => !isFormer(schema))
  const former = fields.filter(({ schema }) => isFormer(schema))
  const rows = current.map(field => renderField(field, at))
  if (former.length === 0) return rows
  const title = `${former.length} older ${former.length === 1 ? 'name' : 'names'} that still work`
  const older = former.map(field => renderField(field, at))
  const folded = fold(title, html`${older}`)
  contents.set(folded, contentOf(older))
  return [...rows, folded]
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

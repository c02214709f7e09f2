// The kinds of template fields, with their schemas before rendering.
//
// Every text is Liquid. The kind of a field, which its schema carries, decides how the rendered text is escaped and checked (field.ts).

import { z } from 'zod'

import { emailAddress } from '../../core/contact.ts'
import { MAX_TEXT_CHARACTERS } from './expand.ts'
import { isSafeImage, isSafeLink, MAX_LINK_CHARACTERS, mayBecomeImage, mayBecomeLink } from './link.ts'

/**
 * - `html`: values are HTML-escaped
 * - `text`: may have line breaks
 * - `rich`: text, in which a stored template may have mark-up (markup.ts)
 * - `line`: for headers and titles; line breaks become spaces
 * - `link`: http(s), mailto, or a path of the same site
 * - `image`: http(s), or a path of the same site
 * - `address`: one email address
 */
export type FieldKind = 'html' | 'text' | 'rich' | 'line' | 'link' | 'image' | 'address'

/** Of a template field; MAX_OUTPUT_BYTES limits the rendered text. */
export const MAX_HTML_CHARACTERS = MAX_TEXT_CHARACTERS
const MAX_TEXT_FIELD_CHARACTERS = 20_000
export const MAX_LINE_CHARACTERS = 2_000

const kinds = z.registry<{ kind: FieldKind }>()

const oneLine = /^[^\p{Cc}\u2028\u2029]*$/u

export const isLiquid = (text: string): boolean => text.includes('{{') || text.includes('{%')

/** Checks a static text completely, and of Liquid only the text before the first tag. */
const staticOrLiquid =
  (isValid: (text: string) => boolean, mayBecomeValid: (beginning: string) => boolean = () => true) =>
  (text: string): boolean =>
    text === '' || (isLiquid(text) ? mayBecomeValid(text.slice(0, text.search(/\{[{%]/))) : isValid(text))

const storable = (limit: number) =>
  z
    .string()
    .max(limit)
    .refine(
      value => !value.includes('\0') && value.isWellFormed(),
      'Expected no NUL and no unpaired surrogates.'
    )

export const html = () => storable(MAX_HTML_CHARACTERS).register(kinds, { kind: 'html' })
export const text = (limit = MAX_TEXT_FIELD_CHARACTERS) => storable(limit).register(kinds, { kind: 'text' })
export const rich = (limit = MAX_TEXT_FIELD_CHARACTERS) => storable(limit).register(kinds, { kind: 'rich' })
export const line = () =>
  storable(MAX_LINE_CHARACTERS)
    .regex(oneLine, 'Expected no line breaks or control characters.')
    .meta({ pattern: '^[^\\x00-\\x1f\\x7f-\\x9f\u2028\u2029]*$' })
    .register(kinds, { kind: 'line' })
export const link = () =>
  storable(MAX_LINK_CHARACTERS)
    .refine(
      staticOrLiquid(isSafeLink, mayBecomeLink),
      'Expected an http, https or mailto address without a user name, or a path that starts with /.'
    )
    .register(kinds, { kind: 'link' })
export const image = () =>
  storable(MAX_LINK_CHARACTERS)
    .refine(
      staticOrLiquid(isSafeImage, mayBecomeImage),
      'Expected an http or https address without a user name, or a path that starts with /.'
    )
    .register(kinds, { kind: 'image' })
export const address = () =>
  z
    .string()
    .max(254)
    .refine(
      staticOrLiquid(value => emailAddress.safeParse(value).success),
      'Expected one email address.'
    )
    .register(kinds, { kind: 'address' })

const required = (kind: FieldKind, schema: z.ZodString, description: string): z.ZodString =>
  schema.min(1, 'Expected some text.').describe(description).register(kinds, { kind })

export const requiredLine = (description: string): z.ZodString => required('line', line(), description)
export const requiredRich = (description: string, limit: number): z.ZodString =>
  required('rich', rich(limit), description)
export const requiredText = (description: string, limit = MAX_TEXT_FIELD_CHARACTERS): z.ZodString =>
  required('text', text(limit), description)

/** The schema of a value, or of the items of a list. */
export const withoutWrappers = (schema: z.core.$ZodType): z.core.$ZodType => {
  if (schema instanceof z.ZodOptional) return withoutWrappers(schema.unwrap())
  return schema instanceof z.ZodArray ? withoutWrappers(schema.element) : schema
}

export const fieldKind = (schema: z.core.$ZodType): FieldKind | undefined =>
  kinds.get(withoutWrappers(schema))?.kind

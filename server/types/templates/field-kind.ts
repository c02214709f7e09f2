// The kinds of a template's fields: what a text of each may be before it is rendered.
//
// Every text is Liquid. How a field is escaped and checked after rendering (field.ts) follows from its kind, which its
// schema carries.

import { z } from 'zod'

import { emailAddress } from '../../core/contact.ts'
import { LONGEST } from './expand.ts'
import { isSafeImage, isSafeLink, LINK_LIMIT, mayBecomeImage, mayBecomeLink } from './link.ts'

/**
 * - `html`: values are HTML-escaped
 * - `text`: may have line breaks
 * - `line`: ends in a header or on one line; line breaks become spaces
 * - `link`: http(s), mailto or a path of the same site
 * - `image`: http(s) or a path of the same site
 * - `address`: one mail address
 */
export type Kind = 'html' | 'text' | 'line' | 'link' | 'image' | 'address'

/** Characters of a template's field; what it becomes is limited by MAX_OUTPUT_BYTES. */
export const HTML_LIMIT = LONGEST
const TEXT_LIMIT = 20_000
export const LINE_LIMIT = 2_000

/** Each schema made here knows its kind. */
const kinds = z.registry<{ kind: Kind }>()

const oneLine = /^[^\p{Cc}\u2028\u2029]*$/u

export const isLiquid = (text: string): boolean => text.includes('{{') || text.includes('{%')

/** Of what is Liquid only the beginning can be judged before it is rendered. */
const staticOr =
  (isGood: (text: string) => boolean, mayBecomeGood: (beginning: string) => boolean = () => true) =>
  (text: string): boolean =>
    text === '' || (isLiquid(text) ? mayBecomeGood(text.slice(0, text.search(/\{[{%]/))) : isGood(text))

const storable = (limit: number) =>
  z
    .string()
    .max(limit)
    .refine(value => !value.includes('\0') && value.isWellFormed(), 'Expected no NUL and no half characters.')

export const html = () => storable(HTML_LIMIT).register(kinds, { kind: 'html' })
export const text = (limit = TEXT_LIMIT) => storable(limit).register(kinds, { kind: 'text' })
export const line = () =>
  storable(LINE_LIMIT)
    .regex(oneLine, 'Expected no line breaks or control characters.')
    .meta({ pattern: '^[^\\x00-\\x1f\\x7f-\\x9f\u2028\u2029]*$' })
    .register(kinds, { kind: 'line' })
export const link = () =>
  storable(LINK_LIMIT)
    .refine(
      staticOr(isSafeLink, mayBecomeLink),
      'Expected an http, https or mailto address, or a path that starts with /.'
    )
    .register(kinds, { kind: 'link' })
export const image = () =>
  storable(LINK_LIMIT)
    .refine(
      staticOr(isSafeImage, mayBecomeImage),
      'Expected an http or https address, or a path that starts with /.'
    )
    .register(kinds, { kind: 'image' })
export const address = () =>
  z
    .string()
    .max(254)
    .refine(
      staticOr(value => emailAddress.safeParse(value).success),
      'Expected one mail address.'
    )
    .register(kinds, { kind: 'address' })

const required = (kind: Kind, schema: z.ZodString, words: string): z.ZodString =>
  schema.min(1, 'Expected some text.').describe(words).register(kinds, { kind })

/** @param words - about the field, for the documentation */
export const requiredLine = (words: string): z.ZodString => required('line', line(), words)
export const requiredText = (words: string, limit = TEXT_LIMIT): z.ZodString =>
  required('text', text(limit), words)

/** Of a field, or of each in a list of them. */
export const kindOf = (schema: z.core.$ZodType): Kind | undefined => {
  if (schema instanceof z.ZodOptional) return kindOf(schema.unwrap())
  if (schema instanceof z.ZodArray) return kindOf(schema.element)
  return kinds.get(schema)?.kind
}

// A language that somebody reads, as BCP 47 names it.

import { z } from 'zod'

/** Characters of a tag, extensions included (RFC 5646, 4.4.1). */
const LIMIT = 35

/**
 * Canonical form of a language tag (`de-AT`), without extensions; undefined for anything else. `de_AT` is what phones
 * and Java call it.
 */
export function localeName(tag: string): string | undefined {
  if (tag.length > LIMIT || !/^[A-Za-z]{2,3}(?:[-_]|$)/.test(tag)) return undefined
  try {
    return new Intl.Locale(tag.replaceAll('_', '-')).baseName
  } catch {
    return undefined
  }
}

/** A language tag; becomes its canonical form. */
export const locale = z.string().transform((text, context) => {
  const name = localeName(text)
  if (name !== undefined) return name
  context.addIssue({ code: 'custom', message: 'Expected a language tag (BCP 47), such as de or pt-BR.' })
  return z.NEVER
})

/** From the language itself to the widest that holds it: `zh-Hant-TW`, `zh-Hant`, `zh`. */
export function localeFallbacks(name: string): string[] {
  const parts = name.split('-')
  return parts.map((_, i) => parts.slice(0, parts.length - i).join('-'))
}

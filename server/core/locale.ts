// Parses language tags (BCP 47).

import { z } from 'zod'

/** Characters of a tag with its extensions (RFC 5646, 4.4.1). */
const MAX_CHARACTERS = 35

/**
 * Returns the canonical form of a language tag (`de-AT`) without extensions, or undefined for anything else. Accepts `de_AT`,
 * the form of Java and of phones.
 */
export function localeName(tag: string): string | undefined {
  if (tag.length > MAX_CHARACTERS || !/^[A-Za-z]{2,3}(?:[-_]|$)/.test(tag)) return undefined
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

/** The tag and its wider forms, narrowest first: `zh-Hant-TW`, `zh-Hant`, `zh`. */
export function localeFallbacks(name: string): string[] {
  const parts = name.split('-')
  return parts.map((_, i) => parts.slice(0, parts.length - i).join('-'))
}

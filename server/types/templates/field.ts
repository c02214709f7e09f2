// Checks and cleans a rendered field according to its kind.

import { emailAddress } from '../../core/contact.ts'
import type { FieldKind } from './field-kind.ts'
import { isSafeImage, isSafeLink } from './link.ts'

export type FieldResult =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly detail: string }

const LINE_BREAKS = /[\p{Cc}\u2028\u2029]+/gu

/** Removes what Postgres cannot store: url_decode can create a NUL, split an unpaired surrogate. */
const makeStorable = (text: string): string =>
  (text.includes('\0') ? text.replaceAll('\0', '') : text).toWellFormed()

/** An empty link, image or address counts as absent. */
export function finishField(kind: FieldKind, rendered: string): FieldResult {
  const text = makeStorable(rendered)
  if (kind === 'html' || kind === 'text' || kind === 'rich') return { ok: true, text }
  // A parameter with a line break would begin another header.
  if (kind === 'line') return { ok: true, text: text.replace(LINE_BREAKS, ' ').trim() }
  const trimmed = text.trim()
  if (trimmed === '') return { ok: true, text: '' }
  if (kind === 'address') {
    if (emailAddress.safeParse(trimmed).success) return { ok: true, text: trimmed }
    return { detail: `${quote(trimmed)} is not an email address.`, ok: false }
  }
  // Spaces are encoded, because most of them are values in a query.
  const address = trimmed.replaceAll(' ', '%20')
  if (kind === 'link' ? isSafeLink(address) : isSafeImage(address)) return { ok: true, text: address }
  const allowed = kind === 'link' ? 'an http, https or mailto address' : 'an http or https address'
  return { detail: `${quote(trimmed)} is not ${allowed}, nor a path that starts with /.`, ok: false }
}

const quote = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)

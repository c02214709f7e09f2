// The last step of a rendered field: what its kind allows.

import { emailAddress } from '../../core/contact.ts'
import type { Kind } from './field-kind.ts'
import { isSafeImage, isSafeLink } from './link.ts'

export type Finished =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly detail: string }

const LINE_BREAKS = /[\p{Cc}\u2028\u2029]+/gu

/** Filters can make what no database keeps: a NUL by url_decode, half a character by split. */
const storable = (text: string): string =>
  (text.includes('\0') ? text.replaceAll('\0', '') : text).toWellFormed()

/** An empty link, picture or address is none and no mistake. */
export function finishField(kind: Kind, rendered: string): Finished {
  const text = storable(rendered)
  if (kind === 'html' || kind === 'text') return { ok: true, text }
  // A merge tag with a line break would begin another header.
  if (kind === 'line') return { ok: true, text: text.replace(LINE_BREAKS, ' ').trim() }
  const trimmed = text.trim()
  if (trimmed === '') return { ok: true, text: '' }
  if (kind === 'address') {
    if (emailAddress.safeParse(trimmed).success) return { ok: true, text: trimmed }
    return { detail: `${shown(trimmed)} is not a mail address.`, ok: false }
  }
  // A name with a space in it belongs into a query more often than it is an attack.
  const address = trimmed.replaceAll(' ', '%20')
  if (kind === 'link' ? isSafeLink(address) : isSafeImage(address)) return { ok: true, text: address }
  const allowed = kind === 'link' ? 'an http, https or mailto address' : 'an http or https address'
  return { detail: `${shown(trimmed)} is not ${allowed}, nor a path that starts with /.`, ok: false }
}

const shown = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)

// Ids of types and templates: one rule, wherever one comes in. They stand in addresses, headers, logs and templates.

import { z } from 'zod'

/** Longest id, in UTF-16 units. */
const ID_LIMIT = 255
const CONTROLS = /[\p{Cc}\u2028\u2029]/u

/**
 * Text on one line: no control characters (C0, DEL, C1) and no line or paragraph separators, because what it ends in
 * may be a header, and a line break would begin another one.
 *
 * @param limit - UTF-16 units
 */
export const line = (limit: number) =>
  z
    .string()
    .max(limit)
    .refine(
      text => !CONTROLS.test(text) && text.isWellFormed(),
      'Expected no line breaks or control characters.'
    )

export const typeId = line(ID_LIMIT).min(1)
export const templateId = line(ID_LIMIT).min(1)
export const subId = line(ID_LIMIT).min(1)
/** Of a send: an empty text says nothing. */
export const optionalId = line(ID_LIMIT)

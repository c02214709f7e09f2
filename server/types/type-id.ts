// Schemas of type and template ids, which are used in paths, headers, logs and templates.

import { z } from 'zod'

/** In UTF-16 code units. */
const MAX_ID_LENGTH = 255
const CONTROLS = /[\p{Cc}\u2028\u2029]/u

/**
 * Text on one line: no control characters (C0, DEL, C1) and no line or paragraph separators, because the text may become part of a
 * header, where a line break would begin another header.
 *
 * @param maxLength - in UTF-16 code units
 */
export const lineText = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .refine(
      text => !CONTROLS.test(text) && text.isWellFormed(),
      'Expected no line breaks or control characters.'
    )

export const typeId = lineText(MAX_ID_LENGTH).min(1)
export const templateId = lineText(MAX_ID_LENGTH).min(1)
export const subId = lineText(MAX_ID_LENGTH).min(1)
/** For sends, where an empty text counts as absent. */
export const optionalId = lineText(MAX_ID_LENGTH)

export const tags = z
  .array(z.string().min(1).max(64))
  .max(20)
  .optional()
  .describe('Tags, by which tabs of an inbox show the type.')

// The place of a page in a log, as a text that callers only hand back.

import { isTrackingId } from '../id.ts'

/** @param id - of the last record of the page */
export const toCursor = (id: string): string => Buffer.from(`1.${id}`).toString('base64url')

/** Undefined for anything that {@link toCursor} did not make. */
export function fromCursor(cursor: string): string | undefined {
  const text = Buffer.from(cursor, 'base64url').toString('latin1')
  return text.startsWith('1.') && isTrackingId(text.slice(2)) ? text.slice(2).toLowerCase() : undefined
}

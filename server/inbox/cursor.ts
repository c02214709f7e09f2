// The place of a page in an inbox, as a text that callers only hand back.

/** First character names the form, so that another one can come later. */
const FORM = /^1\.(\d{1,16})$/

export const toCursor = (seq: number): string => Buffer.from(`1.${seq}`).toString('base64url')

/** Undefined for anything that {@link toCursor} did not make. */
export function fromCursor(cursor: string): number | undefined {
  const [, digits] = FORM.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  const seq = Number(digits)
  return digits !== undefined && Number.isSafeInteger(seq) ? seq : undefined
}

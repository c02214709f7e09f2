// The place where a page ends, as a text that callers only hand back.

import { z } from 'zod'

import { isTrackingId } from '../core/id.ts'

/** Names the form, so that another one can come later. */
const FORM = '1.'

export const toCursor = (...parts: readonly (string | number)[]): string =>
  Buffer.from(FORM + parts.join('.')).toString('base64url')

/** @param read - what {@link toCursor} was given, its parts joined by dots; undefined for what it never was */
export const cursorOf = <T>(read: (parts: string) => T | undefined) =>
  z.string().transform((text, context): T => {
    const parts = Buffer.from(text, 'base64url').toString()
    const place = parts.startsWith(FORM) ? read(parts.slice(FORM.length)) : undefined
    if (place !== undefined) return place
    context.addIssue({ code: 'custom', message: 'Expected the value of `next` of an earlier page.' })
    return z.NEVER
  })

/** Where the order is that of a time and, within it, of ids. */
export interface Moment {
  /** Microseconds since 1970. */
  readonly at: number
  readonly id: string
}

export const momentCursor = cursorOf((parts): Moment | undefined => {
  const [, at, id] = /^(\d{1,16})\.(\S{36})$/.exec(parts) ?? []
  return id !== undefined && isTrackingId(id) && Number.isSafeInteger(Number(at))
    ? { at: Number(at), id }
    : undefined
})

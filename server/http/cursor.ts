// Cursors: opaque texts that say where a page ends.

import { z } from 'zod'

import { isTrackingId } from '../core/id.ts'

const VERSION = '1.'

export const toCursor = (...parts: readonly (string | number)[]): string =>
  Buffer.from(VERSION + parts.join('.')).toString('base64url')

/** @param read - parses the parts of {@link toCursor}, joined by dots; undefined for anything else */
export const cursorSchema = <T>(read: (parts: string) => T | undefined) =>
  z.string().transform((text, context): T => {
    const parts = Buffer.from(text, 'base64url').toString()
    const position = parts.startsWith(VERSION) ? read(parts.slice(VERSION.length)) : undefined
    if (position !== undefined) return position
    context.addIssue({ code: 'custom', message: 'Expected the value of `next` of an earlier page.' })
    return z.NEVER
  })

/** Position in a list that is ordered by time, and by id within one time. */
export interface Moment {
  /** Microseconds since 1970. */
  readonly at: number
  readonly id: string
}

export const momentCursor = cursorSchema((parts): Moment | undefined => {
  const [, at, id] = /^(\d{1,16})\.(\S{36})$/.exec(parts) ?? []
  return id !== undefined && isTrackingId(id) && Number.isSafeInteger(Number(at))
    ? { at: Number(at), id }
    : undefined
})

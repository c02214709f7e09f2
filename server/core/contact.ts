// Parsers of user ids, email addresses, phone numbers and time zones.

import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { Temporal } from 'temporal-polyfill'
import { z } from 'zod'

import { isUserId, USER_ID_LIMIT } from './id.ts'

export const userId = z
  .string()
  .refine(isUserId, `Expected 1 to ${USER_ID_LIMIT} characters without a NUL character.`)

// Without quoted local parts, comments, lists and display names, so that an accepted address is safe in a header.
const LABEL = String.raw`[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?`
const ATOM = String.raw`[^\s@<>()\[\],;:\\".\p{C}]{1,64}`
const ADDRESS = new RegExp(`^(?=[^@]{1,64}@)${ATOM}(?:\\.${ATOM}){0,31}@(?:${LABEL}\\.){1,10}${LABEL}$`, 'u')

/** One email address: addr-spec of RFC 5322 without quoting, letters of any script, at most 254 characters. */
export const emailAddress = z
  .string()
  .max(254, { abort: true, error: 'Expected at most 254 characters.' })
  .regex(ADDRESS, 'Expected one email address such as user@example.com.')
  .meta({ pattern: String.raw`^[^\s@]{1,64}@[^\s@]+\.[^\s@]+$` })

// Only documented forms. libphonenumber-js alone also accepts a number within a text.
const NUMBER = /^(?:\+[1-9]\d{6,14}|\([2-9]\d{2}\) \d{3}-\d{4}|[2-9]\d{2}-\d{3}-\d{4}|[2-9]\d{9})$/

/** A phone number in one of the documented forms; becomes E.164. */
export const phoneNumber = z.string().transform((text, context) => {
  const number = NUMBER.test(text)
    ? parsePhoneNumberFromString(text, { defaultCountry: 'US', extract: false })
    : undefined
  if (number?.isPossible()) return number.number as string
  context.addIssue({
    code: 'custom',
    message:
      'Expected + with country code and digits, or a US or Canada number such as (202) 555-0123, 202-555-0123 or 2025550123.'
  })
  return z.NEVER
})

const zones = new Map<string, string>()

/**
 * Returns the canonical case of a Zone or Link name of the IANA database, or undefined for anything else. Offsets are refused
 * because Postgres reads their sign the other way round. ICU's own short names are refused because BST is Dhaka there.
 */
function zoneName(name: string): string | undefined {
  const cached = zones.get(name)
  if (cached !== undefined) return cached
  const found = lookUpZone(name)
  // Only valid names are stored: otherwise callers could fill the memory with invalid ones.
  if (found !== undefined && zones.size < 2000) zones.set(name, found)
  return found
}

function lookUpZone(name: string): string | undefined {
  if (name.length > 64 || !/^[A-Za-z]/.test(name) || /^systemv\//i.test(name)) return undefined
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId
  } catch {
    return undefined
  }
}

/** The name of a time zone, in its canonical case. */
export const timeZone = z.string().transform((text, context) => {
  const name = zoneName(text)
  if (name !== undefined) return name
  context.addIssue({
    code: 'custom',
    message: 'Expected a Zone or Link name of the IANA time zone database, such as America/New_York or UTC.'
  })
  return z.NEVER
})

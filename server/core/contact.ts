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

export const EXPECTED_EMAIL = 'Expected one email address such as user@example.com.'

/** One email address: addr-spec of RFC 5322 without quoting, letters of any script, at most 254 characters. */
export const emailAddress = z
  .string()
  .max(254, { abort: true, error: 'Expected at most 254 characters.' })
  .regex(ADDRESS, EXPECTED_EMAIL)
  .meta({ pattern: String.raw`^[^\s@]{1,64}@[^\s@]+\.[^\s@]+$` })

export const EXPECTED_NUMBER =
  'Expected a phone number with + and country code, such as +44 20 7183 8750, or a US or Canada number, such as (202) 555-0123.'

/** Characters that people write between digits. */
const SEPARATORS = /[ \u00a0().-]/g
/** E.164 has at most 15 digits; `+44 (0)20` has one more. libphonenumber-js alone also accepts a number within a text. */
const NUMBER = /^(?:\+[1-9]\d{6,15}|[2-9]\d{9})$/

/** A phone number with or without separators; becomes E.164. */
export const phoneNumber = z.string().transform((text, context) => {
  const digits = text.replaceAll(SEPARATORS, '')
  const number = NUMBER.test(digits)
    ? parsePhoneNumberFromString(digits, { defaultCountry: 'US', extract: false })
    : undefined
  if (number?.isPossible()) return number.number as string
  context.addIssue({ code: 'custom', message: EXPECTED_NUMBER })
  return z.NEVER
})

/** Stands for a contact detail that is given, but malformed: it is not looked up, and its channels are discarded. */
export const MALFORMED = ''

/** Parses a contact detail of a send. An empty text counts as absent; a text that does not fit becomes {@link MALFORMED}. */
export const contactOrMalformed = (schema: z.ZodType<string, string>) =>
  z
    .string()
    .transform(text => (text === '' ? undefined : (schema.safeParse(text).data ?? MALFORMED)))
    .optional()

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

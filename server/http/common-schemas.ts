// Schemas that many bodies and answers share.

import { z } from 'zod'

import { toMillis } from '../core/instant.ts'

export const instant = z.iso
  .datetime()
  .meta({ description: 'Instant in UTC with milliseconds.', examples: ['2026-11-20T04:34:37.557Z'] })

export const trackingId = z.uuid().meta({ description: 'Tracking id: a uuidv7 in lower case.' })

const MAX_TIME = 253_402_300_799_999

const NO_UNIX_TIME = 'Expected a Unix time in seconds or milliseconds, such as 1795392000.'

/** Unix time of a query, in seconds or milliseconds; milliseconds when parsed. */
export const unixTime = z.coerce
  .number(NO_UNIX_TIME)
  .min(0, NO_UNIX_TIME)
  .max(MAX_TIME, NO_UNIX_TIME)
  .transform(toMillis)

/** Cursor of a list. */
export const next = z
  .string()
  .optional()
  .meta({ description: 'Cursor of the next page; absent on the last one.' })

export const messages = z
  .array(z.string())
  .meta({ description: 'Warnings: ignored fields, variables without a value, and discarded channels.' })

export const anyObject = z.record(z.string(), z.unknown())

/** Marks an optional field as a former name in the API reference. */
export const formerName = <S extends z.ZodType>(schema: S, current: string) =>
  schema.optional().meta({ deprecated: true, description: `Former name of \`${current}\`.` })

/**
 * An object with arbitrary keys, but a limited number of them.
 *
 * Counts the keys before it validates them, because each wrong key would become an error message and a body may hold thousands.
 */
export const boundedRecord = <S extends z.ZodType>(maxKeys: number, schema: S) =>
  z.preprocess(
    (given, context) => {
      if (typeof given !== 'object' || given === null || Object.keys(given).length <= maxKeys) return given
      context.addIssue({ code: 'custom', message: `Expected at most ${maxKeys} keys.` })
      return z.NEVER
    },
    schema.meta({ ...schema.meta(), maxProperties: maxKeys })
  )

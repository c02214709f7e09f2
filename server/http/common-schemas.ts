// Schemas of what many answers hold, for the documentation and the tests that compare answers with it.

import { z } from 'zod'

export const instant = z.iso
  .datetime()
  .meta({ description: 'Instant in UTC with milliseconds.', examples: ['2026-11-20T04:34:37.557Z'] })

export const trackingId = z.uuid().meta({ description: 'Tracking id: a uuidv7 in lower case.' })

/** Of a list. */
export const next = z
  .string()
  .optional()
  .meta({ description: 'Cursor of the next page; absent on the last one.' })

export const messages = z
  .array(z.string())
  .meta({ description: 'What the caller should know: fields that were ignored, channels left out.' })

/** Whatever JSON object. */
export const anyObject = z.record(z.string(), z.unknown())

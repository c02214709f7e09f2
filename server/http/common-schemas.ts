// Schemas that many answers share.

import { z } from 'zod'

export const instant = z.iso
  .datetime()
  .meta({ description: 'Instant in UTC with milliseconds.', examples: ['2026-11-20T04:34:37.557Z'] })

export const trackingId = z.uuid().meta({ description: 'Tracking id: a uuidv7 in lower case.' })

/** Cursor of a list. */
export const next = z
  .string()
  .optional()
  .meta({ description: 'Cursor of the next page; absent on the last one.' })

export const messages = z
  .array(z.string())
  .meta({ description: 'Warnings: ignored fields and discarded channels.' })

/** Any JSON object. */
export const anyObject = z.record(z.string(), z.unknown())

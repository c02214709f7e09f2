// Objects of any names, but not of any number of them.

import { z } from 'zod'

/**
 * The keys are counted before any of them is read: a wrong one costs more to tell than to read, and a body may hold
 * thousands. The limit of all keys of a body (body.ts) is higher.
 */
export const counted = <S extends z.ZodType>(most: number, schema: S) =>
  z.preprocess(
    (given, context) => {
      if (typeof given !== 'object' || given === null || Object.keys(given).length <= most) return given
      context.addIssue({ code: 'custom', message: `Expected at most ${most} keys.` })
      return z.NEVER
    },
    schema.meta({ ...schema.meta(), maxProperties: most })
  )

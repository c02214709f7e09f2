// Schema of objects with arbitrary keys but a limited number of them.

import { z } from 'zod'

/**
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

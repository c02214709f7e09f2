// Parses the body of a pause.

import { z } from 'zod'

import { parseInstant } from '../../core/instant.ts'

export const pauseBody = z.strictObject({
  until: z
    .string()
    .transform((text, context) => {
      const ms = parseInstant(text)
      if (ms !== undefined) return new Date(ms)
      context.addIssue({ code: 'custom', message: 'Expected an instant such as 2026-11-20T04:34:37Z.' })
      return z.NEVER
    })
    .nullish()
    .meta({
      description: 'When the queue continues by itself. Absent: when somebody resumes it.',
      examples: ['2026-11-20T04:34:37.557Z']
    })
})

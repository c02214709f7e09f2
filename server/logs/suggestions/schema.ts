// The query of suggestions for a search of the log.

import { z } from 'zod'

export const SUGGESTION_KINDS = ['channel', 'decision', 'field', 'rule', 'status', 'type', 'user'] as const
export type SuggestionKind = (typeof SUGGESTION_KINDS)[number]

const MAX_COUNT = 20
const MAX_CHARACTERS = 255

/**
 * - `text`: what is typed. Absent: everything
 * - `kind`: one or more kinds, separated by commas. Default: all
 * - `count`: suggestions of each kind, 1 to 20. Default: 5
 */
export const suggestionsQuery = z.object({
  count: z.coerce.number().int().min(1).max(MAX_COUNT).default(5),
  kind: z
    .string()
    .transform(text => text.split(','))
    .pipe(
      z.array(z.enum(SUGGESTION_KINDS, `Expected ${SUGGESTION_KINDS.join(', ')}, or several with commas.`))
    )
    .optional()
    .describe('Kinds, separated by commas. Default: all.'),
  text: z.string().trim().max(MAX_CHARACTERS).default('').describe('What is typed. Absent: everything.')
})

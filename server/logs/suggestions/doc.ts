// The API reference of suggestions for a search of the log.

import { z } from 'zod'

import type { Doc } from '../../http/route-doc.ts'
import { SUGGESTION_KINDS, suggestionsQuery } from './schema.ts'

export const suggestionsDoc: Doc = {
  answer: z.object({
    suggestions: z.array(
      z.object({
        kind: z.enum(SUGGESTION_KINDS),
        value: z.string(),
        hint: z.string().optional().meta({
          description: 'Title of a type; address of a user whose address was typed, or the first one.'
        })
      })
    )
  }),
  description:
    'Values that begin with `text`, for the filters of `POST /{clientId}/logs/query`: channels, decisions, rules and states, fields of `customFilter`, ids of types, and users by id, email address or phone number. Reads at most `count` rows of each index, and counts nothing. Users are found from the first character on.',
  examples: [
    { name: 'What is typed', query: { text: 'com' }, status: 200 },
    { name: 'Decisions', query: { count: '20', kind: 'decision,rule' }, status: 200 },
    { name: 'Unknown kind', query: { kind: 'colour' }, status: 422 }
  ],
  operationId: 'suggestLogValues',
  query: suggestionsQuery,
  summary: 'Suggest values for a search of the log',
  tag: 'logs'
}

// The API reference of the settings of this process.

import { z } from 'zod'

import type { Doc } from '../../http/route-doc.ts'

export const settingsDoc: Doc = {
  answer: z.object({
    settings: z.array(
      z.object({
        name: z.string(),
        meaning: z.string(),
        value: z.string().nullable().meta({ description: 'A secret is `[secret]`; null if it is not set.' }),
        default: z.string().nullable(),
        isSecret: z.boolean(),
        source: z.enum(['set', 'default'])
      })
    ),
    warnings: z.array(z.object({ name: z.string(), detail: z.string() }))
  }),
  description:
    'Those of the node that answers, as `npm start -- --print` shows them, with warnings. They are set in the environment of the process.',
  examples: [{ name: 'All settings', status: 200 }],
  operationId: 'listSettings',
  summary: 'List the settings of the server',
  tag: 'operations'
}

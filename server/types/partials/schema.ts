// Schemas of layouts and partials.

import { z } from 'zod'

/** Used within quotes in a tag. */
export const partialId = z
  .string()
  .regex(/^[\w.-]{1,100}$/, 'Expected 1 to 100 letters, digits, dots, _ or -.')

export const partialBody = z.strictObject({
  text: z
    .string()
    .min(1, 'Expected some text.')
    .max(100_000)
    .refine(
      text => !text.includes('\0') && text.isWellFormed(),
      'Expected no NUL and no unpaired surrogates.'
    )
    .describe('Liquid template. In a layout, `{{ content_for_layout }}` is the place of the content.'),
  // Part of the answer to GET, read-only.
  id: z.unknown().optional().describe('Ignored.'),
  updatedAt: z.unknown().optional().describe('Ignored.')
})

export const tooManyPartials = (max: number): string =>
  `An environment has at most ${max} layouts and partials. Delete one first.`

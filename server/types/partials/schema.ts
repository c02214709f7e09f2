// A layout or partial as it is written.

import { z } from 'zod'

/** Stands between quotes in a tag. */
export const pieceId = z.string().regex(/^[\w.-]{1,100}$/, 'Expected 1 to 100 letters, digits, dots, _ or -.')

export const pieceBody = z.strictObject({
  text: z
    .string()
    .min(1, 'Expected some text.')
    .max(100_000)
    .refine(text => !text.includes('\0') && text.isWellFormed(), 'Expected no NUL and no half characters.')
    .describe('Liquid. In a layout `{{ content_for_layout }}` says where the text of the template goes.'),
  // What the answer to GET has and nobody can set.
  id: z.unknown().optional().describe('Ignored.'),
  updatedAt: z.unknown().optional().describe('Ignored.')
})

export const tooMany = (most: number): string => `An environment has at most ${most} layouts and partials.`

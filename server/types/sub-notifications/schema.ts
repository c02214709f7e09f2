// The schema of a sub-notification.

import { z } from 'zod'

import { MAX_TITLE_LENGTH } from '../schema.ts'
import { lineText } from '../type-id.ts'

export const subBody = z.object({
  title: lineText(MAX_TITLE_LENGTH).min(1).describe('Title that users read in their preferences.')
})

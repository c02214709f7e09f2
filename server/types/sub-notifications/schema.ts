// Schema of a sub-notification.

import { z } from 'zod'

import { lineText } from '../type-id.ts'

const MAX_TITLE_LENGTH = 255

export const subBody = z.object({
  title: lineText(MAX_TITLE_LENGTH).min(1).describe('Title that users read in their preferences.')
})

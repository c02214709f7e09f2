// What a back end may say about a sub-notification.

import { z } from 'zod'

import { line } from '../type-id.ts'

const TITLE_LIMIT = 255

export const subBody = z.object({
  title: line(TITLE_LIMIT).min(1).describe('What people read in their preferences.')
})

// Schemas of topics.

import { z } from 'zod'

import { userId } from '../../core/contact.ts'
import { isUserId } from '../../core/id.ts'
import { cursorSchema } from '../../http/cursor.ts'
import { MAX_TITLE_LENGTH } from '../../types/schema.ts'
import { lineText } from '../../types/type-id.ts'

/** In UTF-16 code units. */
export const MAX_TOPIC_ID_LENGTH = 128

export const topicId = lineText(MAX_TOPIC_ID_LENGTH).min(1)

export const topicBody = z.object({
  title: lineText(MAX_TITLE_LENGTH).min(1).describe('Title that its members read in their preferences.')
})

/** User ids of one call, in both lists together. */
export const MAX_CHANGES = 1000

const userIds = z.array(userId).max(MAX_CHANGES).default([])

export const membersBody = z
  .object({
    add: userIds.describe('Ids of users who become members. Members stay what they are.'),
    remove: userIds.describe('Ids of users who are members no more. Others stay what they are.')
  })
  .check(({ value: { add, remove }, issues }) => {
    if (add.length + remove.length > MAX_CHANGES) {
      const message = `Expected at most ${MAX_CHANGES} ids in both lists together.`
      issues.push({ code: 'custom', input: remove.length, message, path: ['remove'] })
      return
    }
    const added = new Set(add)
    for (const [i, id] of remove.entries()) {
      if (!added.has(id)) continue
      issues.push({
        code: 'custom',
        input: id,
        message: 'Expected an id that is not in add.',
        path: ['remove', i]
      })
    }
  })

const MAX_PAGE_SIZE = 1000
const count = z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).default(50)

const idCursor = (isId: (text: string) => boolean) =>
  cursorSchema(text => (isId(text) ? text : undefined)).default('')

export const topicsQuery = z.object({ count, cursor: idCursor(text => topicId.safeParse(text).success) })

export const membersQuery = z.object({ count, cursor: idCursor(isUserId) })

// The API reference of the topics of one user.

import { z } from 'zod'

import { instant, next } from '../../http/common-schemas.ts'
import type { Doc } from '../../http/route-doc.ts'
import { topicsQuery } from './schema.ts'
import { REJOIN_MINUTES } from './user-topics.sql.ts'

const answer = z.object({ id: z.string() })

export const listDoc: Doc = {
  answer: z.object({
    topics: z.array(z.object({ id: z.string(), title: z.string(), addedAt: instant })),
    next
  }),
  description: 'In the order of their ids. A page may have fewer than `count` of them.',
  examples: [{ name: 'First page', query: { count: '2' }, status: 200 }],
  operationId: 'listUserTopics',
  query: topicsQuery,
  summary: 'List the topics of a user',
  tag: 'topics'
}

export const leaveDoc: Doc = {
  answer,
  description: 'A user who is no member stays none.',
  examples: [{ name: 'Member', status: 200 }],
  operationId: 'leaveTopic',
  summary: 'Leave a topic',
  tag: 'topics'
}

export const rejoinDoc: Doc = {
  answer,
  description: `Takes the leaving of the last ${REJOIN_MINUTES} minutes back. A user who did not leave the topic gets 404: only \`changeTopicMembers\` adds other users.`,
  examples: [
    { name: 'After leaving', status: 201 },
    { name: 'Member', status: 200 },
    { name: 'Unknown topic', params: { topicId: 'nothing' }, status: 404 }
  ],
  operationId: 'rejoinTopic',
  summary: 'Join a topic again after leaving it',
  tag: 'topics'
}

// The API reference of topics, for back ends.

import { z } from 'zod'

import { instant, next } from '../../http/common-schemas.ts'
import type { Doc } from '../../http/route-doc.ts'
import { MAX_CHANGES, membersBody, membersQuery, topicBody, topicsQuery } from './schema.ts'

/** Members that are counted for one topic. */
export const MAX_COUNTED_MEMBERS = 10_000

const topic = { id: z.string(), title: z.string(), createdAt: instant }
const unknown = { name: 'Unknown topic', params: { topicId: 'nothing' }, status: 404 }

export const putDoc: Doc = {
  answer: z.object(topic),
  body: topicBody,
  description:
    'A topic is a group of users that you send to at once. Its title stands in the preferences of its members, who can leave it there.',
  examples: [
    { body: { title: 'Release notes' }, name: 'New topic', status: 201 },
    { body: { title: 'Releases' }, name: 'New title', status: 200 },
    { body: {}, name: 'No title', status: 422 }
  ],
  operationId: 'putTopic',
  summary: 'Create or rename a topic',
  tag: 'topics'
}

export const listDoc: Doc = {
  answer: z.object({ topics: z.array(z.object(topic)), next }),
  description: 'In the order of their ids.',
  examples: [{ name: 'First page', query: { count: '2' }, status: 200 }],
  operationId: 'listTopics',
  query: topicsQuery,
  summary: 'List the topics of an environment',
  tag: 'topics'
}

export const readDoc: Doc = {
  answer: z.object({
    ...topic,
    members: z.object({ count: z.int(), isAtLeast: z.boolean() }).meta({
      description: `Members are counted up to ${MAX_COUNTED_MEMBERS}. \`isAtLeast\`: there may be more.`
    })
  }),
  examples: [{ name: 'Known topic', status: 200 }, unknown],
  operationId: 'getTopic',
  summary: 'Get a topic',
  tag: 'topics'
}

export const deleteDoc: Doc = {
  answer: z.object({ id: z.string() }),
  description:
    'The topic and its members are gone when the call is answered. A topic with the same id can be created immediately, and is empty; after a topic of millions, a new one with its id may be refused with 503 for some seconds, while the members are removed. Preferences of users for it as a sub-notification stay.',
  examples: [{ name: 'Known topic', status: 200 }, unknown],
  operationId: 'deleteTopic',
  summary: 'Delete a topic with its members',
  tag: 'topics'
}

export const changeMembersDoc: Doc = {
  answer: z.object({
    id: z.string(),
    added: z.int().meta({ description: 'Users who were no members before.' }),
    removed: z.int().meta({ description: 'Users who were members before.' })
  }),
  body: membersBody,
  description: `At most ${MAX_CHANGES} ids in a call, any number in calls one after the other. Repeating a call changes nothing more. A topic that does not exist is created, with the words of its id as title. A user who left the topic and is added again is a member again.`,
  examples: [
    { body: { add: ['u1', 'u2'] }, name: 'Two members', status: 200 },
    {
      body: { add: ['u1', 'u3'], remove: ['u2'] },
      name: 'New topic',
      params: { topicId: 'team/42' },
      status: 201
    },
    { body: { add: [''] }, name: 'Malformed id', status: 422 }
  ],
  operationId: 'changeTopicMembers',
  problems: [409],
  summary: 'Add and remove members of a topic',
  tag: 'topics'
}

export const listMembersDoc: Doc = {
  answer: z.object({ members: z.array(z.object({ userId: z.string(), addedAt: instant })), next }),
  description: 'In the order of their ids.',
  examples: [{ name: 'First page', query: { count: '1' }, status: 200 }, unknown],
  operationId: 'listTopicMembers',
  query: membersQuery,
  summary: 'List the members of a topic',
  tag: 'topics'
}

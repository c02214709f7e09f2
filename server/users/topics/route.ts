// Topics over HTTP, for back ends: groups of users that broadcasts address.

import { toCursor } from '../../http/cursor.ts'
import { parseInput, parseQuery } from '../../http/parse-input.ts'
import { Problem } from '../../http/problem.ts'
import { ok, route, type BackEndCall, type Route } from '../../http/route.ts'
import type { Context } from '../../process/context.ts'
import { shownTitle } from '../../types/shown-title.ts'
import { compareBytes } from '../user-pages.sql.ts'
import {
  changeMembersDoc,
  deleteDoc,
  listDoc,
  listMembersDoc,
  MAX_COUNTED_MEMBERS,
  putDoc,
  readDoc
} from './doc.ts'
import { changeMembers, countMembers, memberPageStatement } from './members.sql.ts'
import { finishDeletion } from './remove-members.sql.ts'
import { MAX_TOPIC_ID_LENGTH, membersBody, membersQuery, topicBody, topicId, topicsQuery } from './schema.ts'
import {
  createTopic,
  deleteTopic,
  putTopic,
  readTopic,
  readTopicPage,
  type StoredTopic,
  type TopicKey
} from './topics.sql.ts'

const ALL = '/:clientId/topics'
const ONE = `${ALL}/:topicId`
const MEMBERS = `${ONE}/members`

/** How long a request removes members of a deleted topic. Housekeeping removes the others. */
const REMOVAL_MS = 1000

const withinRemovalTime = (): (() => boolean) => {
  const end = performance.now() + REMOVAL_MS
  return () => performance.now() < end
}

/** @throws Problem `invalid-address` */
export function parseTopicKey({ env, params }: Pick<BackEndCall, 'env' | 'params'>): TopicKey {
  const id = params['topicId']!
  if (topicId.safeParse(id).success) return { envId: env.id, topicId: id }
  throw new Problem(
    'invalid-address',
    `Expected a topic id of 1 to ${MAX_TOPIC_ID_LENGTH} characters without line breaks.`
  )
}

export const topicNotFound = (id: string): Problem =>
  new Problem('not-found', `There is no topic ${JSON.stringify(id)}.`)

const toWire = ({ createdAt, id, title }: StoredTopic) => ({ id, title, createdAt: createdAt.toISOString() })

export const topicRoutes = ({ db }: Pick<Context, 'db'>): Route[] => [
  route('PUT', ONE, 'back-end', putDoc, async call => {
    const key = parseTopicKey(call)
    const { title } = parseInput(topicBody, call.body)
    await finishDeletion(db, key, withinRemovalTime())
    const topic = await putTopic(db, key, title)
    return { body: toWire(topic), status: topic.isNew ? 201 : 200 }
  }),

  route('GET', ALL, 'back-end', listDoc, async ({ env, query }) => {
    const { count, cursor } = parseQuery(topicsQuery, query)
    const found = await readTopicPage(db, env.id, cursor, count + 1)
    const topics = found.slice(0, count)
    return ok({
      topics: topics.map(toWire),
      ...(found.length > count && { next: toCursor(topics.at(-1)!.id) })
    })
  }),

  route('GET', ONE, 'back-end', readDoc, async call => {
    const key = parseTopicKey(call)
    const topic = await readTopic(db, key)
    if (!topic) throw topicNotFound(key.topicId)
    const counts = await Promise.all(db.groups.map(group => countMembers(group, key, MAX_COUNTED_MEMBERS)))
    const sum = counts.reduce((before, count) => before + count, 0)
    const members = { count: Math.min(sum, MAX_COUNTED_MEMBERS), isAtLeast: sum >= MAX_COUNTED_MEMBERS }
    return ok({ ...toWire(topic), members })
  }),

  route('DELETE', ONE, 'back-end', deleteDoc, async call => {
    const key = parseTopicKey(call)
    if (!(await deleteTopic(db, key))) throw topicNotFound(key.topicId)
    await finishDeletion(db, key, withinRemovalTime())
    return ok({ id: key.topicId })
  }),

  route('PUT', MEMBERS, 'back-end', changeMembersDoc, async call => {
    const key = parseTopicKey(call)
    const id = key.topicId
    const change = parseInput(membersBody, call.body)
    const changed = await changeMembers(db, key, change)
    if (changed) return ok({ id, ...changed })
    await finishDeletion(db, key, withinRemovalTime())
    await createTopic(db, key, shownTitle(id, undefined))
    const first = await changeMembers(db, key, change)
    if (!first) throw new Problem('conflict', 'The topic was deleted by another request. Repeat this one.')
    return { body: { id, ...first }, status: 201 }
  }),

  route('GET', MEMBERS, 'back-end', listMembersDoc, async call => {
    const key = parseTopicKey(call)
    const { count, cursor } = parseQuery(membersQuery, call.query)
    if (!(await readTopic(db, key))) throw topicNotFound(key.topicId)
    const pages = await Promise.all(
      db.groups.map(group => memberPageStatement(group, key, cursor, count + 1))
    )
    const found = pages.flat().toSorted((a, b) => compareBytes(a.userId, b.userId))
    const members = found.slice(0, count)
    return ok({
      members: members.map(({ addedAt, userId }) => ({ userId, addedAt: addedAt.toISOString() })),
      ...(found.length > count && { next: toCursor(members.at(-1)!.userId) })
    })
  })
]

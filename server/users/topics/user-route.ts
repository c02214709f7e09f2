// The topics of one user over HTTP: a user reads them, leaves one, and takes that back.

import { toCursor } from '../../http/cursor.ts'
import { parseQuery } from '../../http/parse-input.ts'
import { ok, route, type Route } from '../../http/route.ts'
import type { Context } from '../../process/context.ts'
import { userKeyOfCall } from '../user-key.ts'
import { parseTopicKey, topicNotFound } from './route.ts'
import { topicsQuery } from './schema.ts'
import { readTopicTitles } from './topics.sql.ts'
import { leaveDoc, listDoc, rejoinDoc } from './user-doc.ts'
import { leaveTopic, readMemberships, rejoinTopic } from './user-topics.sql.ts'

const ALL = '/:clientId/users/:userId/topics'
const ONE = `${ALL}/:topicId`

export const userTopicRoutes = ({ db, live }: Pick<Context, 'db' | 'live'>): Route[] => [
  route('GET', ALL, 'user', listDoc, async call => {
    const { count, cursor } = parseQuery(topicsQuery, call.query)
    const user = userKeyOfCall(call)
    const found = await readMemberships(db.of(user.bucket).sql, user, count + 1, cursor)
    const page = found.slice(0, count)
    const ids = page.map(({ topicId }) => topicId)
    const titles = await readTopicTitles(db, user.envId, ids)
    return ok({
      topics: page.flatMap(({ addedAt, topicId: id }) => {
        const title = titles.get(id)
        return title === undefined ? [] : { id, title, addedAt: addedAt.toISOString() }
      }),
      ...(found.length > count && { next: toCursor(ids.at(-1)!) })
    })
  }),

  route('DELETE', ONE, 'user', leaveDoc, async call => {
    const { topicId: id } = parseTopicKey(call)
    const user = userKeyOfCall(call)
    if (await leaveTopic(db.of(user.bucket).sql, user, id)) live.preferencesChanged(user)
    return ok({ id })
  }),

  route('PUT', ONE, 'user', rejoinDoc, async call => {
    const { topicId: id } = parseTopicKey(call)
    const user = userKeyOfCall(call)
    const rejoined = await rejoinTopic(db, user, id)
    if (rejoined === 'refused') throw topicNotFound(id)
    if (rejoined === 'joined') live.preferencesChanged(user)
    return { body: { id }, status: rejoined === 'joined' ? 201 : 200 }
  })
]

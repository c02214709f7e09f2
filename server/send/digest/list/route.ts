// The route for back ends that lists digests which wait: GET /:clientId/digests.

import { toCursor } from '../../../http/cursor.ts'
import { parseQuery } from '../../../http/parse-input.ts'
import { ok, route, type Route } from '../../../http/route.ts'
import type { Context } from '../../../process/context.ts'
import { listDoc } from './doc.ts'
import { listDigests, MAX_COUNTED_ITEMS, type ListedDigest } from './list-digests.sql.ts'
import { digestsQuery } from './schema.ts'

export const digestRoutes = ({ db }: Pick<Context, 'db'>): Route[] => [
  route('GET', '/:clientId/digests', 'back-end', listDoc, async ({ env, query }) => {
    const { count, cursor } = parseQuery(digestsQuery, query)
    const page = { after: cursor, envId: env.id, limit: count + 1 }
    const found = (await Promise.all(db.groups.map(group => listDigests(group, page)))).flat()
    const sorted = found.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
    const shown = sorted.slice(0, count)
    const last = sorted.length > count && shown.at(-1)!
    return ok({ digests: shown.map(toWire), ...(last && { next: toCursor(last.at, last.id) }) })
  })
]

const toWire = ({ channel, dueAt, id, itemCount, type, userId }: ListedDigest) => ({
  id,
  userId,
  type,
  channel,
  sendsAt: new Date(dueAt).toISOString(),
  items: { count: Math.min(itemCount, MAX_COUNTED_ITEMS), isAtLeast: itemCount > MAX_COUNTED_ITEMS }
})

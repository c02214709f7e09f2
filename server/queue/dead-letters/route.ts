// Dead letters over HTTP, for back-ends: look at them, send them again, drop them, one or many at a time.

import { bucketOf, bucketOfId, isTrackingId } from '../../core/id.ts'
import type { Db, Tx } from '../../db/db.ts'
import { toCursor } from '../../http/cursor.ts'
import { claimOf, once } from '../../http/idempotency.ts'
import { parseInput, parseQuery } from '../../http/parse-input.ts'
import { Problem } from '../../http/problem.ts'
import { route, type Answer, type BackEndCall, type Route } from '../../http/route.ts'
import { toChannel, type Queues } from '../queues.ts'
import { drop, readDeadLetters, redrive, type DeadLetter, type MovedDeadLetter } from './dead-letters.sql.ts'
import { dropDoc, dropManyDoc, listDoc, readDoc, redriveManyDoc } from './doc.ts'
import { listQuery, orderBody, type DeadLetterOrder } from './schema.ts'

const ALL = '/:clientId/dead-letters'
const ONE = `${ALL}/:letterId`

const noLetter = (): Problem => new Problem('not-found', 'There is no such dead letter (any more).')

/** @throws Problem `not-found` for what cannot be an id */
function idOf({ params }: BackEndCall): string {
  const id = params['letterId'] ?? ''
  if (!isTrackingId(id)) throw noLetter()
  return id.toLowerCase()
}

const newestFirst = (a: DeadLetter, b: DeadLetter): number => b.at - a.at || (a.id < b.id ? 1 : -1)

const toWire = ({ body, code, detail, diedAt, id, queue, sendId, claimCount, userId }: DeadLetter) => ({
  id,
  channel: toChannel(queue),
  userId,
  code,
  diedAt: diedAt.toISOString(),
  tries: claimCount,
  ...(sendId !== null && { trackingId: sendId }),
  ...(typeof body['notificationId'] === 'string' && { type: body['notificationId'] }),
  ...(typeof body['to'] === 'string' && { to: body['to'] }),
  ...(detail !== null && { detail })
})

type Deed = typeof redrive

interface DeadLetterContext {
  readonly db: Db
  readonly queues: Queues
}

/** Dead letters that one request redrives or drops: it is one transaction in each database. */
const MAX_PER_REQUEST = 1000

export function deadLetterRoutes({ db, queues }: DeadLetterContext, limit = MAX_PER_REQUEST): Route[] {
  /** One transaction for each database that may hold some of them; a repeated request finds each one's answer. */
  const act = async (deed: Deed, call: BackEndCall, order: DeadLetterOrder): Promise<Answer> => {
    const { filter, ids } = order
    const wanted = { ...filter, envId: call.env.id, ids }
    const moved: MovedDeadLetter[] = []
    const answers = await Promise.all(
      db.groups.map(group => {
        const home = group.buckets?.[0] ?? bucketOf(call.env.id, '')
        return once(group, claimOf(call, '', home), async (tx: Tx): Promise<Answer> => {
          const done = await deed(tx, group, wanted, limit)
          moved.push(...done)
          return {
            body: { count: done.length, ids: done.map(({ id }) => id), more: done.length === limit },
            status: 200
          }
        })
      })
    )
    queues.wake(new Set(moved.map(({ queue }) => queue)))
    const bodies = answers.map(({ body }) => body as { count: number; ids: string[]; more: boolean })
    return {
      ...answers[0]!,
      body: {
        count: bodies.reduce((sum, { count }) => sum + count, 0),
        ids: bodies.flatMap(body => body.ids),
        more: bodies.some(({ more }) => more)
      }
    }
  }

  return [
    route('GET', ALL, 'back-end', listDoc, async ({ env, query }) => {
      const { count, cursor, ...filter } = parseQuery(listQuery, query)
      const wanted = { ...filter, envId: env.id }
      const pages = await Promise.all(
        db.groups.map(group => readDeadLetters(group, wanted, count + 1, cursor))
      )
      const found = pages.flat().toSorted(newestFirst)
      const letters = found.slice(0, count)
      const last = found.length > count && letters.at(-1)
      return {
        body: { deadLetters: letters.map(toWire), ...(last && { next: toCursor(last.at, last.id) }) },
        status: 200
      }
    }),

    route('GET', ONE, 'back-end', readDoc, async call => {
      const id = idOf(call)
      const wanted = { envId: call.env.id, ids: [id] }
      const [letter] = await readDeadLetters(db.of(bucketOfId(id)), wanted, 1, undefined)
      if (!letter) throw noLetter()
      return { body: toWire(letter), status: 200 }
    }),

    route('POST', `${ALL}/redrive`, 'back-end', redriveManyDoc, async call =>
      act(redrive, call, parseInput(orderBody, call.body, { nulls: 'absent' }))
    ),
    route('POST', `${ALL}/drop`, 'back-end', dropManyDoc, async call =>
      act(drop, call, parseInput(orderBody, call.body, { nulls: 'absent' }))
    ),
    route('DELETE', ONE, 'back-end', dropDoc, async call => {
      const id = idOf(call)
      const bucket = bucketOfId(id)
      const group = db.of(bucket)
      return once(group, claimOf(call, '', bucket), async tx => {
        const gone = await drop(tx, group, { envId: call.env.id, ids: [id] }, 1)
        if (gone.length === 0) throw noLetter()
        return { body: { id }, status: 200 }
      })
    })
  ]
}

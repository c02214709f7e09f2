// The routes of dead letters for back ends: list, redrive and drop, one or many at a time.

import { bucketOf, bucketOfId, isTrackingId } from '../../core/id.ts'
import type { Db, Tx } from '../../db/db.ts'
import { toCursor } from '../../http/cursor.ts'
import { idempotencyKeyOf, runOnce } from '../../http/idempotency.ts'
import { parseInput, parseQuery } from '../../http/parse-input.ts'
import { Problem } from '../../http/problem.ts'
import { ok, route, type Answer, type BackEndCall, type Route } from '../../http/route.ts'
import { toChannel, type Queues } from '../queues.ts'
import {
  drop,
  readDeadLetterGroups,
  readDeadLetters,
  redrive,
  type DeadLetter,
  type MovedDeadLetter
} from './dead-letters.sql.ts'
import { dropDoc, dropManyDoc, groupsDoc, listDoc, readDoc, redriveManyDoc, restoreDoc } from './doc.ts'
import { restore } from './dropped.sql.ts'
import { mergeGroups } from './groups.ts'
import { listQuery, restoreBody, selectionBody, type DeadLetterSelection } from './schema.ts'

const ALL = '/:clientId/dead-letters'
const ONE = `${ALL}/:letterId`

const notFound = (): Problem =>
  new Problem('not-found', 'No dead letter has this id. It may have been redriven or dropped.')

function readId({ params }: BackEndCall): string {
  const id = params['letterId'] ?? ''
  if (!isTrackingId(id)) throw notFound()
  return id.toLowerCase()
}

const compareNewestFirst = (a: DeadLetter, b: DeadLetter): number => b.at - a.at || (a.id < b.id ? 1 : -1)

const toWire = ({ body, code, detail, diedAt, id, queue, sendId, claimCount, userId }: DeadLetter) => ({
  id,
  channel: toChannel(queue),
  userId,
  code,
  diedAt: diedAt.toISOString(),
  attempts: claimCount,
  ...(sendId !== null && { trackingId: sendId }),
  ...(typeof body['notificationId'] === 'string' && { type: body['notificationId'] }),
  ...(typeof body['to'] === 'string' && { to: body['to'] }),
  ...(detail !== null && { detail })
})

/** Causes of one answer. */
const MAX_GROUPS = 100

type Mover = typeof redrive

/** One request is one transaction in each database. */
const MAX_PER_REQUEST = 1000

export function deadLetterRoutes(
  { db, queues }: { readonly db: Db; readonly queues: Queues },
  limit = MAX_PER_REQUEST
): Route[] {
  /** Moves dead letters in one transaction for each database. A repeated request gets the stored answers. */
  const moveAll = async (
    move: Mover,
    call: BackEndCall,
    { filter, ids }: DeadLetterSelection
  ): Promise<Answer> => {
    const letterQuery = { ...filter, envId: call.env.id, ids }
    const moved: MovedDeadLetter[] = []
    const answers = await Promise.all(
      db.groups.map(group => {
        const bucket = group.buckets?.[0] ?? bucketOf(call.env.id, '')
        return runOnce(group, idempotencyKeyOf(call, '', bucket), async (tx: Tx): Promise<Answer> => {
          const found = await move(tx, group, letterQuery, limit)
          moved.push(...found)
          return ok({ count: found.length, ids: found.map(({ id }) => id), more: found.length === limit })
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
      const letterQuery = { ...filter, envId: env.id }
      const pages = await Promise.all(
        db.groups.map(group => readDeadLetters(group, letterQuery, count + 1, cursor))
      )
      const found = pages.flat().toSorted(compareNewestFirst)
      const letters = found.slice(0, count)
      const last = found.length > count && letters.at(-1)
      return ok({ deadLetters: letters.map(toWire), ...(last && { next: toCursor(last.at, last.id) }) })
    }),

    route('GET', `${ALL}/groups`, 'back-end', groupsDoc, async ({ env }) => {
      const groups = await Promise.all(
        db.groups.map(group => readDeadLetterGroups(group, env.id, MAX_GROUPS + 1))
      )
      const { all, hasMore } = mergeGroups(groups.flat(), MAX_GROUPS)
      return ok({ groups: all, more: hasMore })
    }),

    route('GET', ONE, 'back-end', readDoc, async call => {
      const id = readId(call)
      const letterQuery = { envId: call.env.id, ids: [id] }
      const [letter] = await readDeadLetters(db.of(bucketOfId(id)), letterQuery, 1, undefined)
      if (!letter) throw notFound()
      return ok(toWire(letter))
    }),

    route('POST', `${ALL}/redrive`, 'back-end', redriveManyDoc, async call =>
      moveAll(redrive, call, parseInput(selectionBody, call.body, { nulls: 'absent' }))
    ),
    route('POST', `${ALL}/drop`, 'back-end', dropManyDoc, async call =>
      moveAll(drop, call, parseInput(selectionBody, call.body, { nulls: 'absent' }))
    ),
    route('POST', `${ALL}/restore`, 'back-end', restoreDoc, async call => {
      const { ids } = parseInput(restoreBody, call.body)
      const back: Mover = (tx, group, { envId }, count) => restore(tx, group, { envId, ids }, count)
      return moveAll(back, call, { ids })
    }),
    route('DELETE', ONE, 'back-end', dropDoc, async call => {
      const id = readId(call)
      const bucket = bucketOfId(id)
      const group = db.of(bucket)
      return runOnce(group, idempotencyKeyOf(call, '', bucket), async tx => {
        const dropped = await drop(tx, group, { envId: call.env.id, ids: [id] }, 1)
        if (dropped.length === 0) throw notFound()
        return ok({ id })
      })
    })
  ]
}

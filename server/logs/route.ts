// The log over HTTP, for back-ends: search, one send with every try, and why each channel did what it did.

import { randomUUID } from 'node:crypto'

import type { Config } from '../config/config.ts'
import type { Environment } from '../config/environment.ts'
import { isTrackingId } from '../core/id.ts'
import { isTooSlow } from '../db/failure.ts'
import { toCursor } from '../http/cursor.ts'
import { Problem } from '../http/problem.ts'
import { route, type BackEndCall, type Route } from '../http/route.ts'
import { knownOf, unknownFields } from '../http/unknown-fields.ts'
import type { Context } from '../process/context.ts'
import { explainDoc, queryDoc, readDoc } from './doc.ts'
import { explain } from './explain.ts'
import { timeOf, type Facts } from './facts.ts'
import { readLog } from './logs.sql.ts'
import { readPage } from './page.ts'
import { readQuery } from './query/parse-query.ts'
import { projected, recordOf } from './record.ts'
import { queryBody } from './schema.ts'

const KNOWN = knownOf(queryBody)!
const DAY = 86_400_000

/** How long an environment keeps its logs, in days. */
const retentionOf = ({ settings }: Environment, { retentionDays }: Pick<Config, 'retentionDays'>): number =>
  settings.retentionDays ?? retentionDays

function tooSlow(seconds: number): Problem {
  const detail = `The query took more than ${seconds} s: narrow dateRangeFilter, or name users, types or tracking ids.`
  return new Problem('invalid-request', detail, { errors: [{ detail, pointer: '#/dateRangeFilter' }] })
}

/** How long one page of a log search may take: longer ones hold up the connections of other requests. */
const QUERY_TIMEOUT_SECONDS = 3

/** Bytes of requests after which a page ends: a page is built in memory. */
const MAX_PAGE_BYTES = 8_000_000

export function logRoutes(
  { clock, config, db }: Pick<Context, 'clock' | 'config' | 'db'>,
  { pageBytes = MAX_PAGE_BYTES, timeoutSeconds = QUERY_TIMEOUT_SECONDS } = {}
): Route[] {
  const find = async ({ env, params }: BackEndCall): Promise<Facts> => {
    const id = params['trackingId'] ?? ''
    const from = clock() - retentionOf(env, config) * DAY
    const facts = isTrackingId(id) ? await readLog(db, env.id, id.toLowerCase(), from) : undefined
    if (!facts) throw new Problem('not-found', 'There is no such send in the log (any more).')
    return facts
  }

  return [
    /** Reading twice is reading once, so an idempotency key needs no memory here. */
    route('POST', '/:clientId/logs/query', 'back-end', queryDoc, async ({ body, env, signal }) => {
      const query = readQuery(body, { envId: env.id, now: clock(), retentionDays: retentionOf(env, config) })
      const limits = { bytes: pageBytes, clock, signal, timeout: timeoutSeconds * 1000 }
      const { logs, more, next, stopped } = await readPage(db, query, limits).catch((error: unknown) => {
        throw isTooSlow(error) ? tooSlow(timeoutSeconds) : error
      })
      const records = logs.map(recordOf)
      const { columns } = query
      const messages = unknownFields(body ?? {}, KNOWN)
      if (stopped)
        messages.push(`Searched as far as ${timeOf(next!)} within ${timeoutSeconds} s: go on with next.`)
      if (more && query.sort) messages.push('There are more: only the first are shown in this order.')
      return {
        body: {
          logs: columns ? records.map(record => projected(record, columns)) : records,
          messages,
          queryId: randomUUID(),
          status: 'Complete',
          ...(next !== undefined && { next: toCursor(next) })
        },
        status: 200
      }
    }),

    route('GET', '/:clientId/logs/:trackingId', 'back-end', readDoc, async call => ({
      body: recordOf(await find(call)),
      status: 200
    })),

    route('GET', '/:clientId/logs/:trackingId/explain', 'back-end', explainDoc, async call => {
      const facts = await find(call)
      const { received_at, status, trackingId, type, user_id } = recordOf(facts)
      return {
        body: {
          channels: explain(facts),
          messages: facts.send.warnings,
          received_at,
          status,
          trackingId,
          type,
          user_id
        },
        status: 200
      }
    })
  ]
}

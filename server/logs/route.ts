// The log over HTTP, for back ends: search, one send with every attempt, and why each channel did what it did.

import { randomUUID } from 'node:crypto'

import { SEARCH_CONNECTIONS } from '../config/connections.ts'
import { retentionInDays } from '../config/environment-settings.ts'
import { FairSlots } from '../core/fair-slots.ts'
import { isTrackingId } from '../core/id.ts'
import { isTooSlow } from '../db/failure.ts'
import { toCursor } from '../http/cursor.ts'
import { parseQuery } from '../http/parse-input.ts'
import { Problem } from '../http/problem.ts'
import { ok, route, type BackEndCall, type Route } from '../http/route.ts'
import { knownFields, unknownFields } from '../http/unknown-fields.ts'
import type { Context } from '../process/context.ts'
import { readPreferencesAndTopics } from '../users/preferences/preferences.sql.ts'
import { maskChannel, maskLogRecord } from './address.ts'
import { readCountedUntil, readLogCounts } from './counts.sql.ts'
import { isoTimeOfId, type DeliveryFacts } from './delivery-facts.ts'
import { explainDoc, queryDoc, readDoc, statsDoc } from './doc.ts'
import { explainPreference, listRules } from './explain-rules.ts'
import { explainChannels } from './explain.ts'
import { selectColumns, toLogRecord } from './log-record.ts'
import { readSendFacts } from './logs.sql.ts'
import { parseLogQuery } from './query/parse-query.ts'
import { queryBody, statsQuery } from './schema.ts'
import { searchLogs } from './search-page.ts'
import { resolveDays, toStats } from './stats.ts'
import { suggestionRoutes } from './suggestions/route.ts'

const KNOWN_FIELDS = knownFields(queryBody)!
const DAY_MS = 86_400_000

function tooSlow(seconds: number): Problem {
  const detail = `The query took more than ${seconds} seconds. Use a shorter dateRangeFilter, or filter by users, types or tracking ids.`
  return new Problem('invalid-request', detail, { errors: [{ detail, pointer: '#/dateRangeFilter' }] })
}

/** For one page of a search: longer searches would keep connections from searches of other environments. */
const QUERY_TIMEOUT_SECONDS = 3

/** Searches of one environment that may wait while another one of it runs. */
const MAX_WAITING_SEARCHES = 3

const tooManySearches = (): Problem =>
  new Problem(
    'rate-limited',
    `${MAX_WAITING_SEARCHES + 1} log queries of this environment are in progress. Retry after the seconds in Retry-After.`,
    { headers: { 'retry-after': '1' } }
  )

/** A page ends after this many bytes of requests, because it is built in memory. */
const MAX_PAGE_BYTES = 8_000_000

const toShown = ({ masksAddresses }: Pick<BackEndCall, 'masksAddresses'>, facts: DeliveryFacts) =>
  masksAddresses ? maskLogRecord(toLogRecord(facts)) : toLogRecord(facts)

export function logRoutes(
  { clock, config, db }: Pick<Context, 'clock' | 'config' | 'db'>,
  { pageBytes = MAX_PAGE_BYTES, timeoutSeconds = QUERY_TIMEOUT_SECONDS } = {}
): Route[] {
  // As many as connections, so that a search which has a slot also has a connection.
  const slots = new FairSlots({
    slots: SEARCH_CONNECTIONS,
    slotsPerEnvironment: 1,
    waitingPerEnvironment: MAX_WAITING_SEARCHES
  })
  const find = async ({ env, params }: BackEndCall): Promise<DeliveryFacts> => {
    const id = params['trackingId'] ?? ''
    const from = clock() - retentionInDays(env.settings, config) * DAY_MS
    const facts = isTrackingId(id) ? await readSendFacts(db, env.id, id.toLowerCase(), from) : undefined
    if (!facts)
      throw new Problem(
        'not-found',
        'No send with this tracking id is in the log. Sends are deleted when their retention ends.'
      )
    return facts
  }

  return [
    // Reads only, so an idempotency key is not stored.
    route('POST', '/:clientId/logs/query', 'back-end', queryDoc, async call => {
      const { body, env, signal } = call
      const query = parseLogQuery(body, {
        envId: env.id,
        now: clock(),
        retentionDays: retentionInDays(env.settings, config)
      })
      const limits = { clock, maxBytes: pageBytes, signal, timeoutMs: timeoutSeconds * 1000 }
      const result = await slots
        .run(env.id, signal, () => searchLogs(db, query, limits))
        .catch((error: unknown) => {
          throw isTooSlow(error) ? tooSlow(timeoutSeconds) : error
        })
      // A client that has left reads no answer.
      if (!result.ok) throw tooManySearches()
      const { logs, hasMore, next, isIncomplete } = result.value
      const records = logs.map(facts => toShown(call, facts))
      const { columns } = query
      const messages = unknownFields(body ?? {}, KNOWN_FIELDS)
      if (isIncomplete)
        messages.push(
          `Searched to ${isoTimeOfId(next!)} within ${timeoutSeconds} seconds. Continue with next.`
        )
      if (hasMore && query.sort)
        messages.push('There are more logs. A search in this order returns only the first ones.')
      return ok({
        logs: columns ? records.map(record => selectColumns(record, columns)) : records,
        messages,
        queryId: randomUUID(),
        status: 'Complete',
        ...(next !== undefined && { next: toCursor(next) })
      })
    }),

    route('GET', '/:clientId/logs/stats', 'back-end', statsDoc, async ({ env, query }) => {
      const { by, type, ...days } = parseQuery(statsQuery, query)
      const range = resolveDays(days, clock())
      const counted = { by, envId: env.id, type, ...range }
      const [counts, untils] = await Promise.all([
        Promise.all(db.groups.map(group => readLogCounts(group, counted))),
        Promise.all(db.groups.map(readCountedUntil))
      ])
      const until = untils.every(one => one !== undefined) && untils.map(one => one.toISOString()).sort()[0]
      return ok({ by, ...range, ...(until && { until }), counts: toStats(by, counts.flat()) })
    }),

    ...suggestionRoutes({ db }),

    route('GET', '/:clientId/logs/:trackingId', 'back-end', readDoc, async call =>
      ok(toShown(call, await find(call)))
    ),

    route('GET', '/:clientId/logs/:trackingId/explain', 'back-end', explainDoc, async call => {
      const facts = await find(call)
      const channels = explainChannels(facts)
      const { received_at, status, trackingId, type, user_id } = toLogRecord(facts)
      const preferences = channels.some(({ decision }) => decision === 'preference-off')
        ? (await readPreferencesAndTopics(db.of(facts.send.bucket).sql, facts.send)).preferences
        : []
      return ok({
        channels: (call.masksAddresses ? channels.map(maskChannel) : channels).map(one =>
          Object.assign({}, one, {
            rules: listRules(one.channel, one.decision),
            ...explainPreference(facts.send, one, preferences)
          })
        ),
        messages: facts.send.warnings,
        received_at,
        status,
        trackingId,
        type,
        user_id
      })
    })
  ]
}

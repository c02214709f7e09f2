// What searching a log costs, by filter: among a million sends of ten days, where what is looked for is rare or common.

import postgres from 'postgres'

import { timeInId } from '../../server/core/id.ts'
import { openDb, type Db } from '../../server/db/db.ts'
import { parseLogQuery } from '../../server/logs/query/parse-query.ts'
import { searchLogs } from '../../server/logs/search-page.ts'
import { fillLog, LOG_DAYS, RARE } from '../logs/fill.ts'
import { testDb } from '../support/db.ts'
import { median, type Measurement, type Say } from './measure.ts'

const ENV = 'bench'
const DAY = 86_400_000
const PAGE = 100
/** Milliseconds for one page of the log, where an index leads to it; a slow search ends at three seconds. */
const FLOOR = 300
const GOAL = 100

const LIMITS = { clock: Date.now, maxBytes: 8_000_000, signal: new AbortController().signal, timeoutMs: 3000 }

interface Search {
  readonly name: string
  readonly body: Readonly<Record<string, unknown>>
  /** An index leads to it. */
  readonly quick: boolean
}

const SEARCHES: readonly Search[] = [
  { body: {}, name: 'everything', quick: true },
  { body: { userFilter: [RARE.user] }, name: 'a user', quick: true },
  { body: { statusFilter: ['failure'] }, name: 'rare failures', quick: true },
  { body: { statusFilter: ['success'] }, name: 'success', quick: true },
  { body: { channelFilter: ['EMAIL'] }, name: 'a common channel', quick: true },
  { body: { notificationFilter: [RARE.type] }, name: 'a rare type', quick: false },
  { body: { statusFilter: ['received'] }, name: 'what waits, of which there is none', quick: false },
  { body: { channelFilter: ['SMS'] }, name: 'a channel that is never there', quick: false },
  { body: { requestFilter: ['request.parameters.n = -1'] }, name: 'words that are never there', quick: false }
]

interface Seen {
  readonly found: number
  readonly ms: number
  /** Part of the log that was looked at. */
  readonly share: number
}

async function search(db: Db, body: Search['body']): Promise<Seen> {
  const began = performance.now()
  const now = Date.now()
  const query = parseLogQuery({ ...body, limit: PAGE }, { envId: ENV, now, retentionDays: 30 })
  const { logs, next, isIncomplete } = await searchLogs(db, query, LIMITS)
  const share = isIncomplete ? (now - timeInId(next!)) / ((LOG_DAYS - 1) * DAY) : 1
  return { found: logs.length, ms: performance.now() - began, share }
}

export async function logs({ rounds, rows, say }: Say): Promise<Measurement[]> {
  await using database = await testDb()
  const sql = postgres(database.url, {
    connection: { maintenance_work_mem: '512MB', synchronous_commit: 'off' },
    max: 1,
    onnotice: () => {}
  })
  const db = openDb({ connections: 2, listenUrl: '', url: database.url })
  const measurements: Measurement[] = []
  try {
    await fillLog(sql, { envId: ENV, failing: 100_000, now: Date.now(), rows })
    say(`${rows} sends of ${LOG_DAYS} days`)
    const name = (what: string): string => `log of ${rows.toLocaleString('en')} sends, ${what}`
    for (const { body, name: what, quick } of SEARCHES) {
      await search(db, body)
      const seen: Seen[] = []
      for (let round = 0; round < rounds; round += 1) seen.push(await search(db, body))
      const ours = median(seen.map(({ ms }) => ms))
      const [{ found, share }] = seen as [Seen]
      say(`${what}: ${ours.toFixed(1)} ms, ${found} found`)
      measurements.push({
        better: 'below',
        facts: { found, ...(!quick && { perSecond: (share * rows * 1000) / ours }) },
        name: name(what),
        ours,
        unit: 'ms',
        ...(quick && { floor: FLOOR, goal: GOAL, promised: 'value' })
      })
    }
  } finally {
    await Promise.all([db.close(), sql.end()])
  }
  return measurements
}

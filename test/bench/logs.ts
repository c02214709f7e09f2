// What searching a log costs, by filter: among a million sends of ten days, where what is looked for is rare or common.

import postgres from 'postgres'

import { openDb, type Db } from '../../server/db/sql.ts'
import { readPage } from '../../server/logs/page.ts'
import { readQuery } from '../../server/logs/query.ts'
import { fillLog, LOG_DAYS, RARE } from '../logs/fill.ts'
import { testDb } from '../support/db.ts'
import { median, type Measurement, type Say } from './measure.ts'

const ENV = 'bench'
const PAGE = 100
/** Milliseconds for one page of the log, where an index leads to it; a slow search ends at three seconds. */
const FLOOR = 300
const GOAL = 100

const LIMITS = { bytes: 8_000_000, clock: Date.now, timeout: 3000 }

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

async function search(db: Db, body: Search['body']) {
  const began = performance.now()
  const query = readQuery({ ...body, limit: PAGE }, { envId: ENV, now: Date.now(), retentionDays: 30 })
  const { logs, stopped } = await readPage(db, query, LIMITS)
  return { found: logs.length, ms: performance.now() - began, stopped }
}

/** All pages of a search, as somebody reads it who wants everything. @returns sends looked at each second */
async function throughout(db: Db, body: Search['body'], rows: number): Promise<number> {
  const began = performance.now()
  const context = { envId: ENV, now: Date.now(), retentionDays: 30 }
  let after: string | undefined
  do {
    const query = { ...readQuery({ ...body, limit: PAGE }, context), ...(after !== undefined && { after }) }
    after = (await readPage(db, query, LIMITS)).next
  } while (after !== undefined)
  return rows / ((performance.now() - began) / 1000)
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
      const seen = []
      for (let round = 0; round < rounds; round += 1) seen.push(await search(db, body))
      const ours = median(seen.map(({ ms }) => ms))
      say(`${what}: ${ours.toFixed(1)} ms, ${seen[0]!.found} found${seen[0]!.stopped ? ', stopped' : ''}`)
      measurements.push({
        better: 'below',
        facts: { found: seen[0]!.found, ...(!quick && { perSecond: await throughout(db, body, rows) }) },
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

// Users identified and preferences changed over HTTP, beside pgbench writing the same rows into the same Postgres.

import { join } from 'node:path'

import { testDb } from '../support/db.ts'
import { hasPgbench, pgbench } from './accept.ts'
import { output } from './child.ts'
import type { LoadOptions, LoadResult } from './load.ts'
import { inTurns, median, type Measurement, type Say } from './measure.ts'
import { BACK_END, CLIENT, serve, type Server } from './server.ts'

const CONNECTIONS = 32
const USERS = 100_000
/** Seconds until the server is as quick as it will be. */
const WARM = 10

/** An identification is one statement; a change of preferences a transaction of its own, rare beside sends. */
const WRITES = { identify: { floor: 0.5, goal: 0.8 }, preferences: { floor: 0.25, goal: 0.5 } } as const
type Write = keyof typeof WRITES

async function load(server: Server, what: Write, seconds: number): Promise<LoadResult> {
  const options: LoadOptions = {
    authorization: BACK_END,
    connections: CONNECTIONS,
    email: false,
    path: `/${CLIENT}/users`,
    port: server.port,
    seconds,
    users: USERS,
    what
  }
  const program = join(import.meta.dirname, 'load.ts')
  return JSON.parse(await output(process.execPath, [program, JSON.stringify(options)])) as LoadResult
}

export async function writes({ rounds, seconds, say }: Say): Promise<Measurement[]> {
  if (!hasPgbench()) throw new Error('There is no pgbench: apt-get install postgresql-contrib.')
  await using database = await testDb()
  await using server = await serve(database.url, {
    NOTIF_ENVIRONMENT_REQUESTS_PER_SECOND: '1000000',
    NOTIF_ROLE: 'api'
  })
  const measurements: Measurement[] = []
  for (const what of Object.keys(WRITES) as Write[]) {
    await load(server, what, Math.max(WARM, seconds))
    const times: LoadResult[] = []
    const rates = await inTurns(
      rounds,
      async () => {
        const result = await load(server, what, seconds)
        if (result.failures > 0) throw new Error(`${result.failures} requests were refused.`)
        times.push(result)
        return result.perSecond
      },
      () => pgbench(database.url, CONNECTIONS, seconds, join(import.meta.dirname, `${what}.pgbench.sql`))
    )
    measurements.push({
      ...WRITES[what],
      better: 'above',
      ceiling: { name: 'pgbench', value: rates.ceiling },
      facts: { p50Ms: median(times.map(time => time.p50)), p99Ms: median(times.map(time => time.p99)) },
      name: `${what}, ${CONNECTIONS} connections`,
      ours: rates.ours,
      ratio: rates.ratio,
      unit: 'requests/s'
    })
    say(`${what}: ${Math.round(rates.ours)}/s, pgbench ${Math.round(rates.ceiling)}`)
  }
  return measurements
}

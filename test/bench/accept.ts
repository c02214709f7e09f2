// Sends accepted over HTTP, beside pgbench writing the same rows one by one into the same Postgres.

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

import { testDb } from '../support/db.ts'
import { output } from './child.ts'
import { costOf } from './cost.ts'
import type { LoadOptions, LoadResult } from './load.ts'
import { inTurns, median, type Measurement, type Say } from './measure.ts'
import { BACK_END, CLIENT, serve, type Server } from './server.ts'

const SCRIPT = join(import.meta.dirname, 'accept.pgbench.sql')
const CONNECTIONS = [1, 32, 128]
/** Different people; every send is for one of them by chance. */
const USERS = 100_000

export const hasPgbench = (): boolean => spawnSync('pgbench', ['--version']).status === 0

/** Transactions a second. */
export async function pgbench(
  url: string,
  connections: number,
  seconds: number,
  script: string
): Promise<number> {
  const { hostname, password, pathname, port, username } = new URL(url)
  const load = ['-n', '-M', 'prepared', '-c', connections, '-j', '2', '-T', seconds, '-f', script]
  const place = ['-h', hostname, '-p', port, '-U', username, pathname.slice(1)]
  const text = await output('pgbench', [...load, ...place].map(String), {
    ...process.env,
    PGPASSWORD: decodeURIComponent(password)
  })
  const [, perSecond] = /tps = ([\d.]+)/.exec(text) ?? []
  if (perSecond === undefined) throw new Error(`pgbench printed no "tps", so it measured nothing:\n${text}`)
  return Number(perSecond)
}

export async function sendLoad(
  server: Pick<Server, 'port'>,
  connections: number,
  seconds: number,
  email = true
): Promise<LoadResult> {
  const options: LoadOptions = {
    authorization: BACK_END,
    connections,
    email,
    path: `/${CLIENT}/sender`,
    port: server.port,
    seconds,
    users: USERS
  }
  const program = join(import.meta.dirname, 'load.ts')
  return JSON.parse(await output(process.execPath, [program, JSON.stringify(options)])) as LoadResult
}

/** Sends after which the compiler of the server's JavaScript has nothing more to learn, and how long we wait for that. */
const WARM = { milliseconds: 20_000, sends: 60_000 }

/** A server that runs for a minute is warm; before that a lone send costs it twice as much. */
export async function warmUp(
  server: Pick<Server, 'port'>,
  say: (line: string) => void,
  email = true
): Promise<void> {
  const began = performance.now()
  let sends = 0
  while (sends < WARM.sends && performance.now() - began < WARM.milliseconds) {
    sends += (await sendLoad(server, 128, 2, email)).requests
  }
  say(`warmed up by ${sends} sends`)
}

/** Only the API runs, because pgbench delivers nothing either; what both write is the same three rows. */
export async function accept({ rounds, seconds, say }: Say): Promise<Measurement[]> {
  if (!hasPgbench()) throw new Error('There is no pgbench: apt-get install postgresql-contrib.')
  await using database = await testDb()
  const cost = await costOf(database.url)
  await using server = await serve(database.url, { NOTIF_ROLE: 'api' })
  await warmUp(server, say)
  const measurements: Measurement[] = []
  for (const connections of CONNECTIONS) {
    const times: LoadResult[] = []
    const rates = await inTurns(
      rounds,
      async () => {
        const result = await sendLoad(server, connections, seconds)
        if (result.failures > 0) throw new Error(`${result.failures} sends were refused.`)
        times.push(result)
        return result.perSecond
      },
      () => pgbench(database.url, connections, seconds, SCRIPT)
    )
    measurements.push({
      better: 'above',
      ceiling: { name: 'pgbench', value: rates.ceiling },
      facts: {
        p50Ms: median(times.map(time => time.p50)),
        p99Ms: median(times.map(time => time.p99)),
        ...(connections === 1 ? cost.alone : connections === 32 ? cost.together : {})
      },
      name: `accept, ${connections} connection${connections === 1 ? '' : 's'}`,
      ours: rates.ours,
      ratio: rates.ratio,
      unit: 'sends/s',
      // Only the figure at 32 is promised: one caller waits for one commit, whoever writes it.
      ...(connections === 32 && { floor: 0.5, goal: 1 })
    })
    say(`${connections}: ${Math.round(rates.ours)} sends/s, pgbench ${Math.round(rates.ceiling)}`)
  }
  return measurements
}

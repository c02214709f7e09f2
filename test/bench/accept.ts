// Sends accepted over HTTP, beside a bare server that writes the same rows in groups, and pgbench that writes them one by one.

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

import { testDb } from '../support/db.ts'
import { output, peer } from './child.ts'
import { costOf } from './cost.ts'
import { mainThreadTime, postgresTime, processTime } from './cpu.ts'
import type { LoadOptions, LoadResult } from './load.ts'
import { median, repeatUnsteady, type Measurement, type Say } from './measure.ts'
import { BACK_END, CLIENT, serve, type Server } from './server.ts'

const SCRIPT = join(import.meta.dirname, 'accept.pgbench.sql')
const CONNECTIONS = [1, 32, 128]
/** Different people; every send is for one of them by chance. */
const USERS = 100_000

export const hasPgbench = (): boolean => spawnSync('pgbench', ['--version']).status === 0

/** Connections that pgbench opens in a second on a slow machine; its time includes them. */
const OPENED_PER_SECOND = 30

/** Transactions a second. */
export async function pgbench(
  url: string,
  connections: number,
  seconds: number,
  script: string
): Promise<number> {
  const { hostname, password, pathname, port, username } = new URL(url)
  const time = seconds + Math.ceil(connections / OPENED_PER_SECOND)
  const load = ['-n', '-M', 'prepared', '-c', connections, '-j', '2', '-T', time, '-f', script]
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

interface Cpu {
  /** Microseconds of the processor for each send. */
  readonly nodeUs: number
  readonly postgresUs: number
  /** Share of the time in which the main thread of the server worked. */
  readonly mainThreadBusy: number
}

type Loaded = LoadResult & Cpu

/** Loads a server, and counts what that costs it and Postgres. */
async function loaded(
  server: { readonly pid: number; readonly port: number },
  backend: number,
  connections: number,
  seconds: number
): Promise<Loaded> {
  const now = () => ({
    at: performance.now(),
    main: mainThreadTime(server.pid),
    node: processTime(server.pid),
    postgres: postgresTime(backend)
  })
  const before = now()
  const result = await sendLoad(server, connections, seconds)
  const after = now()
  if (result.failures > 0) throw new Error(`${result.failures} sends were refused.`)
  return {
    ...result,
    mainThreadBusy: (after.main - before.main) / 1000 / (after.at - before.at),
    nodeUs: (after.node - before.node) / result.requests,
    postgresUs: (after.postgres - before.postgres) / result.requests
  }
}

interface Rounds {
  readonly ours: Loaded[]
  readonly floor: Loaded[]
  /** Transactions a second. */
  readonly pgbench: number[]
}

/** What is promised of the sends a second, as a share of the bare server. With one caller both wait for the disk, so nothing is promised there. */
const PROMISES: Readonly<Record<number, { readonly floor: number; readonly goal: number }>> = {
  32: { floor: 0.65, goal: 0.75 },
  128: { floor: 0.58, goal: 0.7 }
}

/** Only the API runs, because nothing that stands beside it delivers either. All write the same rows. */
export async function accept({ rounds, seconds, say }: Say): Promise<Measurement[]> {
  if (!hasPgbench()) throw new Error('There is no pgbench: apt-get install postgresql-contrib.')
  await using database = await testDb()
  const cost = await costOf(database.url)
  await using server = await serve(database.url, { NOTIF_ROLE: 'api' })
  await using floor = await peer('floor', database.url)
  const [{ backend }] = await database.db.control<[{ backend: number }]>`select pg_backend_pid() as backend`
  await warmUp(server, say)
  await warmUp(floor, say)
  const measurements: Measurement[] = []
  for (const connections of CONNECTIONS) {
    const { result: measured, spread } = await repeatUnsteady<Rounds>(
      async () => {
        const result: Rounds = { floor: [], ours: [], pgbench: [] }
        for (let round = 0; round < rounds; round += 1) {
          result.floor.push(await loaded(floor, backend, connections, seconds))
          result.ours.push(await loaded(server, backend, connections, seconds))
          result.pgbench.push(await pgbench(database.url, connections, seconds, SCRIPT))
        }
        return result
      },
      result => result.floor.map(({ perSecond }) => perSecond),
      say
    )
    const of = (side: 'floor' | 'ours', key: keyof Loaded): number =>
      median(measured[side].map(one => one[key]))
    const ratio = (key: keyof Loaded): number =>
      median(measured.ours.map((one, round) => one[key] / measured.floor[round]![key]))
    const name = `${connections} connection${connections === 1 ? '' : 's'}`
    measurements.push({
      better: 'above',
      ceiling: { name: 'bare server', value: of('floor', 'perSecond') },
      facts: {
        p50Ms: of('ours', 'p50'),
        p99Ms: of('ours', 'p99'),
        bareP50Ms: of('floor', 'p50'),
        bareP99Ms: of('floor', 'p99'),
        mainThreadBusy: of('ours', 'mainThreadBusy'),
        pgbenchPerSecond: median(measured.pgbench),
        ofPgbench: median(measured.ours.map(({ perSecond }, round) => perSecond / measured.pgbench[round]!)),
        ...(connections === 1 ? cost.alone : connections === 32 ? cost.together : {})
      },
      name: `accept, ${name}`,
      ours: of('ours', 'perSecond'),
      ratio: ratio('perSecond'),
      unit: 'sends/s',
      ...(spread !== undefined && { spread }),
      ...PROMISES[connections]
    })
    measurements.push({
      better: 'below',
      ceiling: { name: 'bare server', value: of('floor', 'nodeUs') },
      facts: { postgresUs: of('ours', 'postgresUs'), barePostgresUs: of('floor', 'postgresUs') },
      name: `processor of Node for a send, ${name}`,
      ours: of('ours', 'nodeUs'),
      ratio: ratio('nodeUs'),
      unit: 'us',
      ...(spread !== undefined && { spread }),
      ...(connections === 32 && { floor: 2.2, goal: 1.8 })
    })
    say(
      `${connections}: ${Math.round(of('ours', 'perSecond'))} sends/s with ${Math.round(of('ours', 'nodeUs'))} us of Node, ` +
        `bare ${Math.round(of('floor', 'perSecond'))} with ${Math.round(of('floor', 'nodeUs'))}, ` +
        `pgbench ${Math.round(median(measured.pgbench))}`
    )
  }
  return measurements
}

// Many open sockets on several processes: their memory, the time to connect them, a broadcast to all of them beside single sends, and what
// happens to clients and database when one process dies. `--sockets 100000` needs an hour's quiet and 8 GB.

import { execFileSync, fork, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import type { Sql } from '../../server/db/db.ts'
import { ensureEnvironment } from '../../server/environments/environments.sql.ts'
import { testDb } from '../support/db.ts'
import { TEST_ENCRYPTION } from '../support/test-encryption.ts'
import { warmUp } from './accept.ts'
import { broadcast, fillUsers, load, OTHER, single } from './broadcasts.ts'
import { familyTime } from './cpu.ts'
import { median, type Measurement, type Say } from './measure.ts'
import { CLIENT, serve, type Server } from './server.ts'
import type { ClientsOptions, ClientsReport } from './socket-clients.ts'

/** Descriptors of a process beside its sockets. */
const OTHER_DESCRIPTORS = 1_500
const MIN_PROCESSES = 2
/** Handshakes in progress at once, of all clients. */
const AT_ONCE = 200
/** Time for the garbage of the handshakes to go, and for heartbeats to begin. */
const SETTLE_MS = 15_000
const TIMEOUT_MS = 30 * 60_000

const socketsPerProcess = (): number =>
  Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' })) - OTHER_DESCRIPTORS

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

const residentKb = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1])

/** Kilobytes of all processes of the server. */
const familyKb = (pid: number): number =>
  [pid, ...childrenOf(pid)].reduce((sum, one) => sum + residentKb(one), 0)

/** Processes that hold the clients. */
class Clients {
  readonly #children: ChildProcess[] = []
  readonly #reports = new Map<ChildProcess, ClientsReport>()
  /** Reconnects in each second since they were watched last. */
  perSecond: number[] = []

  constructor(port: number, count: number, perProcess: number) {
    const processes = Math.ceil(count / perProcess)
    for (let i = 0; i < processes; i += 1) {
      const first = i * perProcess
      const options: ClientsOptions = {
        atOnce: Math.ceil(AT_ONCE / processes),
        count: Math.min(perProcess, count - first),
        first,
        // Of each source address, the system has 28,000 ports.
        localAddress: `127.0.0.${10 + i}`,
        port
      }
      const child = fork(join(import.meta.dirname, 'socket-clients.ts'), [JSON.stringify(options)])
      this.#children.push(child)
      child.on('message', (report: ClientsReport) => {
        this.#reports.set(child, report)
        const second = Math.floor(performance.now() / 1000)
        this.perSecond[second] = (this.perSecond[second] ?? 0) + report.reconnects
      })
    }
  }

  total(name: keyof ClientsReport): number {
    return [...this.#reports.values()].reduce((sum, report) => sum + report[name], 0)
  }

  changedAt(): number {
    return Math.max(...[...this.#reports.values()].map(({ changedAt }) => changedAt))
  }

  async until(isTrue: () => boolean): Promise<void> {
    for (const end = performance.now() + TIMEOUT_MS; !isTrue(); await pause(100)) {
      const isDead = this.#children.some(({ exitCode }) => exitCode !== null)
      if (isDead || performance.now() > end) {
        throw new Error(`${this.total('ready')} sockets are open, ${this.total('failed')} attempts failed.`)
      }
    }
  }

  [Symbol.dispose](): void {
    for (const child of this.#children) child.kill('SIGKILL')
  }
}

/** What the database had to do during an action. */
async function watchDatabase<T>(sql: Sql, action: () => Promise<T>) {
  const transactions = async (): Promise<number> => {
    const [row] = await sql<{ count: number }[]>`
      select (xact_commit + xact_rollback)::float8 as count from pg_stat_database where datname = current_database()`
    return row!.count
  }
  let maxConnections = 0
  let maxActive = 0
  const over = new AbortController()
  const before = await transactions()
  const startedAt = performance.now()
  const samples = (async () => {
    while (!over.signal.aborted) {
      const [row] = await sql<{ all: number; active: number }[]>`
        select count(*)::int as all, count(*) filter (where state = 'active')::int as active
        from pg_stat_activity where datname = current_database() and application_name like 'notif-kit%'`
      maxConnections = Math.max(maxConnections, row!.all)
      maxActive = Math.max(maxActive, row!.active)
      await pause(250)
    }
  })()
  const result = await action()
  const seconds = (performance.now() - startedAt) / 1000
  over.abort()
  await samples
  // Sessions report to the statistics once a second.
  await pause(1_500)
  return { maxActive, maxConnections, result, seconds, transactions: (await transactions()) - before }
}

/** Single sends of another environment until the action is over: the p99 of each few seconds. */
async function sendsBeside(server: Server, seconds: number, action: Promise<unknown>): Promise<number[]> {
  const over = new AbortController()
  const ended = action.finally(() => over.abort())
  const p99s: number[] = []
  while (!over.signal.aborted) p99s.push((await load(server, { ...single, seconds })).p99)
  await ended
  return p99s
}

export async function sockets({ say, seconds, sockets: count }: Say): Promise<Measurement[]> {
  const perProcess = socketsPerProcess()
  // One more than they need, so that the others have room for the sockets of one that dies.
  const processes = Math.max(MIN_PROCESSES, Math.ceil(count / perProcess) + 1)
  await using database = await testDb()
  const { control: sql } = database.db
  await ensureEnvironment(database.db, TEST_ENCRYPTION, { ...OTHER, origins: [], secureMode: undefined })
  await using server = await serve(database.url, { NOTIF_PROCESSES: String(processes) })
  await fillUsers(sql, CLIENT, count)
  await sql.unsafe('vacuum analyze users')
  await warmUp(server, say)
  await pause(SETTLE_MS)

  const before = familyKb(server.pid)
  const cpuBefore = familyTime(server.pid)
  using clients = new Clients(server.port, count, perProcess)
  const connect = await watchDatabase(sql, () => clients.until(() => clients.total('ready') === count))
  const connectUs = (familyTime(server.pid) - cpuBefore) / count
  await pause(SETTLE_MS)
  const kb = (familyKb(server.pid) - before) / count
  say(
    `${count} sockets on ${processes} processes in ${connect.seconds.toFixed(0)} s, ${kb.toFixed(1)} kB each, ` +
      `${connect.transactions} transactions, ${clients.total('failed')} failed attempts`
  )

  const idle = await watchDatabase(sql, () => pause(10_000))
  const quiet = median(await sendsBeside(server, seconds, pause(3_000 * seconds)))
  const startedAt = Date.now()
  let userRate = 0
  const all = (async () => {
    userRate = await broadcast(server, count)
    await clients.until(() => clients.total('changed') >= count)
  })()
  const beside = await sendsBeside(server, seconds, all)
  const broadcastSeconds = (clients.changedAt() - startedAt) / 1000
  say(
    `broadcast: ${Math.round(userRate)} users/s, the last socket after ${broadcastSeconds.toFixed(1)} s; ` +
      `p99 of single sends ${quiet.toFixed(0)} ms before, then ${beside.map(ms => ms.toFixed(0)).join(', ')}`
  )

  clients.perSecond = []
  const [, victim] = childrenOf(server.pid)
  const lostBefore = clients.total('lost')
  const failedBefore = clients.total('failed')
  const storm = await watchDatabase(sql, async () => {
    process.kill(victim!, 'SIGKILL')
    await clients.until(() => clients.total('lost') > lostBefore)
    await clients.until(() => clients.total('ready') === count)
  })
  await pause(1_000)
  const lost = clients.total('lost') - lostBefore
  const bySecond = Object.values(clients.perSecond)
  const peak = Math.max(...bySecond)
  const idleTransactions = (idle.transactions / idle.seconds) * storm.seconds
  const perReconnect = (storm.transactions - idleTransactions) / lost
  say(
    `a process died: ${lost} sockets back after ${storm.seconds.toFixed(1)} s, by second ${bySecond.join(' ')}; ` +
      `${storm.transactions} transactions (${Math.round(idleTransactions)} without it), at most ${storm.maxActive} active of ${storm.maxConnections} connections`
  )
  return [
    {
      better: 'below',
      facts: {
        processes,
        connectSeconds: connect.seconds,
        connectUs,
        connectTransactions: connect.transactions
      },
      name: `memory of each of ${count} sockets`,
      ours: kb,
      unit: 'kB'
    },
    {
      better: 'below',
      ceiling: { name: 'before it', value: quiet },
      facts: { besideMax: Math.max(...beside), broadcastSeconds, userRate },
      floor: 4,
      goal: 2,
      name: 'p99 of a single send beside a broadcast to all of them',
      ours: median(beside),
      ratio: median(beside) / quiet,
      unit: 'ms'
    },
    {
      better: 'below',
      facts: {
        failedAttempts: clients.total('failed') - failedBefore,
        lost,
        maxActive: storm.maxActive,
        maxConnections: storm.maxConnections,
        peakPerSecond: peak,
        transactionsPerReconnect: perReconnect
      },
      name: 'all sockets back after one process died',
      ours: storm.seconds,
      unit: 's'
    }
  ]
}

// Starts a Citus cluster with the program that an operator names, and stops and starts its nodes.

import { execFile, execFileSync, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import postgres from 'postgres'

import { isListening } from './port.ts'
import { NO_DISK_WAITS } from './postgres.ts'

/** Beside the folder of the project. */
const DEFAULT_ENGINE = join(import.meta.dirname, '../../../shared/engines/citus/cluster.sh')

export const NO_ENGINE = 'no Citus engine. Set NOTIF_CITUS_ENGINE to a program that starts a cluster.'

/**
 * Returns the path of the program, or undefined if there is none. It is called as `install` (as root, which may do nothing),
 * `start FOLDER WORKERS` with the first port as NOTIF_CITUS_PORT, `stop FOLDER` and `start-node FOLDER NUMBER`. `start` prints the
 * address of the coordinator as its last line. FOLDER/NUMBER is the data of a node; 0 is the coordinator.
 */
export function findEngine(): string | undefined {
  const engine = process.env['NOTIF_CITUS_ENGINE'] ?? DEFAULT_ENGINE
  return existsSync(engine) ? engine : undefined
}

export interface CitusCluster extends AsyncDisposable {
  /** Address of the coordinator. */
  readonly url: string
  /** Kills the processes of a node at once, as a machine that fails; 0 is the coordinator. */
  kill(node: number): void
  /** Starts a node that was killed. */
  start(node: number): Promise<void>
  /** Stops all nodes without waiting for anything else, and removes their data. */
  stop(): void
}

const FIRST_PORT = 20_000
const PORT_COUNT = 10_000

/** Finds neighbouring ports below those that the system gives to connections. */
async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = FIRST_PORT + Math.floor(Math.random() * PORT_COUNT)
    const taken = await Promise.all(Array.from({ length: count }, (_, i) => isListening(first + i)))
    if (!taken.includes(true)) return first
  }
}

/**
 * Tests kill processes, but not the machine. Some tests make an insert fail by a trigger. A commit that a killed node left open is
 * resolved within 5 s instead of a minute.
 */
const SETTINGS = [...NO_DISK_WAITS, 'citus.enable_unsafe_triggers=on', 'citus.recover_2pc_interval=5000']

async function configure(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    for (const setting of SETTINGS) await sql.unsafe(`alter system set ${setting.replace('=', ' = ')}`)
    await sql`select pg_reload_conf()`
  } finally {
    await sql.end()
  }
}

const run = promisify(execFile)

const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const

/** Root may install the program; everybody else must have it. */
export const installEngine = async (engine: string): Promise<void> => {
  if (process.getuid?.() === 0) await run(engine, ['install'])
}

/**
 * The cluster also stops when this process ends by itself or by a signal.
 *
 * @param workerCount - nodes beside the coordinator
 */
export async function startCluster(engine: string, workerCount: number): Promise<CitusCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'notif-citus-'))
  const port = await freePorts(workerCount + 1)
  const env = { ...process.env, NOTIF_CITUS_PORT: String(port) }
  let isStopped = false
  let starting: ChildProcess | undefined
  const stop = (): void => {
    if (isStopped) return
    isStopped = true
    starting?.kill()
    execFileSync(engine, ['stop', folder], { env, stdio: 'ignore' })
    rmSync(folder, { force: true, maxRetries: 5, recursive: true })
  }
  process.once('exit', stop)
  for (const [signal, number] of Object.entries(SIGNALS))
    process.once(signal, () => process.exit(128 + number))
  try {
    const started = run(engine, ['start', folder, String(workerCount)], { env })
    starting = started.child
    const { stdout } = await started
    starting = undefined
    const url = stdout.trim().split('\n').at(-1)!
    for (let i = 0; i <= workerCount; i += 1)
      await configure(Object.assign(new URL(url), { port: String(port + i) }).href)
    return {
      [Symbol.asyncDispose]: () => Promise.resolve(stop()),
      kill: node => {
        const pid = readFileSync(join(folder, String(node), 'postmaster.pid'), 'utf8').split('\n')[0]
        process.kill(Number(pid), 'SIGQUIT')
      },
      start: async node => void (await run(engine, ['start-node', folder, String(node)], { env })),
      stop,
      url
    }
  } catch (error) {
    stop()
    throw error
  }
}

// Starts the real server as a child process, as an operator does, and stops it with all that it started.

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { TEST_KEY } from './test-encryption.ts'

const MAIN = join(import.meta.dirname, '../../server/main.ts')

export interface ServerOptions {
  /** DATABASE_URL; absent: an embedded database. */
  readonly databaseUrl?: string
  /** Absent: a new folder. */
  readonly dataDir?: string
  readonly env?: Readonly<Record<string, string>>
  readonly args?: readonly string[]
  /** Another copy of server/main.ts. */
  readonly main?: string
  /** Run `npm start` in this folder instead. */
  readonly npmFolder?: string
  /** Run as this user; the tests must run as root. */
  readonly user?: { readonly uid: number; readonly gid: number }
  /** Until the server must be ready or have ended. Default: 60,000. */
  readonly timeoutMs?: number
}

export interface ServerExit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface ServerProcess {
  readonly pid: number
  readonly dataDir: string
  /** Address, once it is ready. */
  readonly base: string
  readonly keys: { readonly clientId?: string; readonly clientSecret?: string; readonly adminToken?: string }
  readonly child: ChildProcess
  readonly ended: Promise<ServerExit>
  /** Everything that the server has written so far to both outputs. */
  output(): string
  /** Resolves when the text stands in the output. */
  waitForOutput(text: string | RegExp): Promise<void>
  /** Of the embedded Postgres that runs now; NaN if none runs. */
  databasePid(): number
  /** Sends the signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<ServerExit>
  [Symbol.asyncDispose](): Promise<void>
}

/** Waits until the check returns true, which is called every 10 ms. */
export async function until(
  question: () => boolean | Promise<boolean>,
  what: string,
  timeoutMs = 30_000
): Promise<void> {
  const started = Date.now()
  while (!(await question())) {
    if (Date.now() - started > timeoutMs) throw new Error(`Waited ${timeoutMs} ms in vain: ${what}`)
    await pause(10)
  }
}

/** Waits for a number that grows as fast as the machine allows: the time-out begins again each time it changes. */
export async function untilCount(
  count: () => number | Promise<number>,
  enough: (count: number) => boolean,
  what: string,
  timeoutMs = 60_000
): Promise<void> {
  let last = await count()
  while (!enough(last)) {
    const before = last
    const moved = async (): Promise<boolean> => enough((last = await count())) || last !== before
    await until(moved, `${what}, ${before} now`, timeoutMs)
  }
}

export function isAlive(pid: number): boolean {
  if (Number.isNaN(pid)) return false
  try {
    process.kill(pid, 0)
    // A zombie is still listed until its parent reads its status.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The environment of the parent without settings of the server, so that a test gives all of them. */
function environment(options: ServerOptions, dataDir: string): Record<string, string> {
  const route = process.env['TEST_CITUS_ROUTE']
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(?:NOTIF_|DATABASE_|PG|NODE_TEST|PORT$|HOST$)/.test(name)
  )
  return {
    ...(Object.fromEntries(inherited) as Record<string, string>),
    NOTIF_DATA_DIR: dataDir,
    NOTIF_LOG_LEVEL: 'warn',
    PORT: '0',
    ...(route !== undefined && { NOTIF_CITUS_ROUTE: route }),
    // Every process has a folder of its own, so processes that share a database need the same key.
    ...(options.databaseUrl !== undefined && { DATABASE_URL: options.databaseUrl, NOTIF_KEY: TEST_KEY }),
    ...options.env
  }
}

const temporary: string[] = []
process.on('exit', () => {
  for (const dir of temporary) rmSync(dir, { force: true, maxRetries: 3, recursive: true })
})

/** Creates a folder that the user owns and that is removed when this process ends. */
export function temporaryDir(user?: ServerOptions['user']): string {
  const dir = mkdtempSync(join(tmpdir(), 'notif-process-'))
  temporary.push(dir)
  if (user) chownSync(dir, user.uid, user.gid)
  return dir
}

/** Starts the server and returns at once. */
export function launch(options: ServerOptions = {}): ServerProcess {
  const dataDir = options.dataDir ?? temporaryDir(options.user)
  const { npmFolder } = options
  const [file, args] =
    npmFolder === undefined ? [process.execPath, [options.main ?? MAIN]] : ['npm', ['start']]
  const child = spawn(file, [...args, ...(options.args ?? [])], {
    // A process group of its own, so that the end of the test also ends what npm started.
    ...(npmFolder !== undefined && { cwd: npmFolder, detached: true }),
    env: environment(options, dataDir),
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options.user
  })
  let output = ''
  const listeners = new Set<() => void>()
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      for (const listener of listeners) listener()
    })
  }
  let over: ServerExit | undefined
  const ended = once(child, 'close').then(([code, signal]) => {
    over = { code: code as number | null, signal: signal as NodeJS.Signals | null }
    for (const listener of listeners) listener()
    return over
  })
  const found = (text: string | RegExp): boolean =>
    typeof text === 'string' ? output.includes(text) : text.test(output)
  const timeoutMs = options.timeoutMs ?? 60_000

  const waitForOutput = (text: string | RegExp): Promise<void> =>
    new Promise((resolve, reject) => {
      const settle = (error?: Error): void => {
        listeners.delete(look)
        clearTimeout(timer)
        if (error) reject(error)
        else resolve()
      }
      const look = (): void => {
        if (found(text)) settle()
        else if (over) settle(new Error(`The server ended (${JSON.stringify(over)}):\n${output}`))
      }
      const timer = setTimeout(
        () => settle(new Error(`The server did not say ${text} within ${timeoutMs} ms:\n${output}`)),
        timeoutMs
      )
      listeners.add(look)
      look()
    })

  const pidFile = join(dataDir, 'postgres/postmaster.pid')
  const databasePid = (): number =>
    existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8').split('\n')[0]) : Number.NaN

  return {
    async [Symbol.asyncDispose]() {
      if (npmFolder === undefined) child.kill('SIGKILL')
      else if (child.exitCode === null) process.kill(-child.pid!, 'SIGKILL')
      const { signal } = await ended
      // A server that exits by itself has stopped its database.
      if (signal !== null) {
        const pid = databasePid()
        await until(() => !isAlive(pid), 'the guard stops the database')
      }
    },
    get base() {
      return /ready at ([^\s,]+)/.exec(output)?.[1] ?? ''
    },
    child,
    dataDir,
    databasePid,
    end(signal) {
      child.kill(signal)
      return ended
    },
    ended,
    get keys() {
      const read = (name: string) => new RegExp(`${name} ([^\\s,]+)`).exec(output)?.[1]
      const [clientId, clientSecret, adminToken] = ['client id', 'client secret', 'admin token'].map(read)
      return {
        ...(clientId !== undefined && { clientId }),
        ...(clientSecret !== undefined && { clientSecret }),
        ...(adminToken !== undefined && { adminToken })
      }
    },
    output: () => output,
    pid: child.pid!,
    waitForOutput
  }
}

/** Starts the server and waits until it answers. */
export async function startServer(options: ServerOptions = {}): Promise<ServerProcess> {
  const server = launch(options)
  try {
    await server.waitForOutput(/ready at \S+/)
    // The server prints its keys at the same moment, and a request takes longer than that.
    await fetch(`${server.base}/healthz`, { signal: AbortSignal.timeout(options.timeoutMs ?? 60_000) })
    return server
  } catch (error) {
    await server[Symbol.asyncDispose]()
    throw error
  }
}

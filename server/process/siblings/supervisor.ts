// The parent of several processes that serve one port: starts them, replaces one that ends, and stops all. It answers no request.
//
// Node passes each new connection from the parent to one of them in turn (node:cluster).

import cluster, { type Worker } from 'node:cluster'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Log } from '../../core/log.ts'
import { StartupError } from '../../core/startup-error.ts'
import type { Assignment, FromParent, Ready, ToParent } from './messages.ts'

/** A process that ends sooner is started again only after this time, so that a fault at start costs little. */
const MIN_RUN_MS = 5_000

export interface SupervisorOptions {
  /** The file that each process runs. */
  readonly main: string
  readonly count: number
  readonly databaseUrl: string | undefined
  readonly log: Log
}

export interface Supervisor {
  readonly ready: Ready
  /** Stops all processes, each of which finishes its work in progress. */
  stop(): Promise<void>
}

interface Child {
  readonly number: number
  readonly worker: Worker
  readonly startedAt: number
  isLinked: boolean
  isReady: boolean
}

/**
 * Starts the first process alone, because it may migrate the database and generate keys, then the others.
 *
 * @throws StartupError if the first process ends before it is ready; it has printed why
 */
export async function startProcesses(options: SupervisorOptions): Promise<Supervisor> {
  const { count, databaseUrl, log, main } = options
  const folder = await mkdtemp(join(tmpdir(), 'notif-kit-'))
  const nodeId = randomBytes(6).toString('base64url')
  const children = new Map<number, Child>()
  const timers = new Set<NodeJS.Timeout>()
  /** Not while the first process starts, whose failure ends the start, and not during the stop. */
  let shouldReplace = false
  cluster.setupPrimary({ args: [], exec: main })
  // A process that hangs does not notice that its parent exits.
  process.once('exit', () => {
    for (const { worker } of children.values()) worker.process.kill('SIGKILL')
  })

  const tell = (worker: Worker, message: FromParent): void => {
    // A process that has just ended cannot be told.
    if (worker.isConnected()) worker.send(message, () => {})
  }
  const tellNumbers = (): void => {
    const linked = [...children.values()].filter(({ isLinked }) => isLinked)
    const numbers = linked.map(({ number }) => number)
    for (const { worker } of linked) tell(worker, { kind: 'numbers', numbers })
  }
  const start = (number: number): Promise<Ready> => {
    const worker = cluster.fork()
    const child: Child = { isLinked: false, isReady: false, number, startedAt: performance.now(), worker }
    children.set(number, child)
    const { promise, resolve, reject } = Promise.withResolvers<Ready>()
    const isServed = [...children.values()].some(({ isReady }) => isReady)
    const siblingBase = isServed ? ready.base : undefined
    const assignment: Assignment = { count, databaseUrl, folder, nodeId, number, siblingBase }
    worker.on('message', (message: ToParent) => {
      if (message.kind === 'ready') {
        child.isReady = true
        return resolve(message.ready)
      }
      if (message.kind === 'hello') return tell(worker, { assignment, kind: 'assignment' })
      child.isLinked = true
      tellNumbers()
    })
    worker.on('exit', (code, signal) => {
      reject(new StartupError('The process ended before it was ready.'))
      children.delete(number)
      tellNumbers()
      if (shouldReplace) replace(child, code, signal)
    })
    return promise
  }
  const replace = ({ number, startedAt }: Child, code: number | null, signal: string | null): void => {
    log.error(
      { code, event: 'process_ended', number, signal },
      'a process ended; another one is started, and deliveries in progress are repeated'
    )
    const waitMs = Math.max(0, MIN_RUN_MS - (performance.now() - startedAt))
    const timer = setTimeout(() => {
      timers.delete(timer)
      start(number).catch(() => {})
    }, waitMs)
    timers.add(timer)
  }
  const end = async (): Promise<void> => {
    shouldReplace = false
    for (const timer of timers) clearTimeout(timer)
    const ends = [...children.values()].map(async ({ worker }) => {
      const ended = once(worker, 'exit')
      tell(worker, { kind: 'stop' })
      await ended
    })
    await Promise.all(ends)
    await rm(folder, { force: true, recursive: true })
  }

  let ready: Ready
  try {
    ready = await start(1)
    shouldReplace = true
    const others = Array.from({ length: count - 1 }, (_, i) => start(i + 2))
    await Promise.all(others)
  } catch (error) {
    await end()
    throw error
  }
  return { ready, stop: end }
}

// Starts Postgres under a guard process, waits until it is ready, and stops it with all its processes.

import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, readSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { StartupError } from '../../core/startup-error.ts'
import type { Owner } from './owner.ts'

/**
 * A shell between this process and Postgres. Its standard input is a pipe that the kernel closes when this process ends, even
 * by `kill -9`; then the guard stops Postgres in an orderly way. Its own end reports the end of Postgres.
 */
const GUARD = `exec 3<&0
"$@" 3<&- </dev/null &
database=$!
{ while read -r line <&3; do :; done; kill -INT $database; } 2>/dev/null &
watch=$!
exec 3<&-
wait $database
code=$?
kill $watch 2>/dev/null
exit $code`

export interface PostmasterOptions {
  readonly postgres: string
  readonly owner: Owner
  /** PGDATA, as an absolute path. */
  readonly data: string
  readonly logFile: string
  /** `name=value` settings for `-c`. */
  readonly settings: readonly string[]
}

export interface Postmaster {
  readonly pid: number
  /** Resolves when Postgres has ended, for any reason. */
  readonly ended: Promise<void>
  /** Aborts running transactions, writes a checkpoint and ends. */
  stop(): Promise<void>
}

interface PidFile {
  readonly pid: number
  readonly ready: boolean
}

function readPidFile(data: string): PidFile | undefined {
  let lines: string[]
  try {
    lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return undefined
  }
  const pid = Number(lines[0])
  return Number.isInteger(pid) && pid > 1 ? { pid, ready: lines[7]?.trim() === 'ready' } : undefined
}

/** Sends a signal; 0 only checks whether the process runs. EPERM means that it runs as another user. */
function sendSignal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Checks the command too, because process ids are used again, in containers soon. */
function isPostgresRunning(pid: number, data: string): boolean {
  if (!sendSignal(pid, 0)) return false
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(data)
  } catch {
    return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout.includes(data)
  }
}

/**
 * Stops a Postgres of an earlier process, which is still stopping or was never told to stop.
 *
 * @param say - called if it takes longer than a second
 */
export async function stopPrevious(data: string, say: (line: string) => void): Promise<void> {
  const file = readPidFile(data)
  if (!file) return
  const { pid } = file
  if (!isPostgresRunning(pid, data)) {
    // Postgres removes the file of an ended process, but takes any running process with this id for a Postgres.
    if (sendSignal(pid, 0)) rmSync(join(data, 'postmaster.pid'), { force: true })
    return
  }
  const startedAt = Date.now()
  let step = 0
  while (isPostgresRunning(pid, data)) {
    const waitedMs = Date.now() - startedAt
    // A fast shutdown; after 15 s an immediate one, after which the next start needs a recovery. No committed row is lost.
    if (step === 0) sendSignal(pid, 'SIGINT')
    if (step < 2 && waitedMs > 1_000)
      say(`waiting for the database of an earlier process (pid ${pid}) to stop`)
    if (step < 3 && waitedMs > 15_000) sendSignal(pid, 'SIGQUIT')
    step = waitedMs > 15_000 ? 3 : waitedMs > 1_000 ? 2 : 1
    await pause(20)
  }
}

/** Read from the end of a log, which may be large. */
const LOG_TAIL_BYTES = 64 * 1024

/** @param from - size of the log before this start */
function readLastLines(file: string, from: number): string {
  const log = openSync(file, 'r')
  try {
    const start = Math.max(from, fileSize(file) - LOG_TAIL_BYTES)
    const tail = Buffer.alloc(LOG_TAIL_BYTES)
    const lines = tail
      .toString('utf8', 0, readSync(log, tail, 0, LOG_TAIL_BYTES, start))
      .trim()
      .split('\n')
    return lines.slice(-6).join('\n')
  } finally {
    closeSync(log)
  }
}

const fileSize = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** The error of a failed start, with the last lines of the log of Postgres. */
export class PostmasterFailed extends StartupError {}

/** Resolves when Postgres accepts connections. @throws {@link PostmasterFailed} */
export async function startPostmaster(
  options: PostmasterOptions,
  say: (line: string) => void
): Promise<Postmaster> {
  const { data, logFile, owner, postgres, settings } = options
  const logSize = fileSize(logFile)
  const log = openSync(logFile, 'a', 0o600)
  const command = [...owner.prefix, postgres, '-D', data, ...settings.flatMap(line => ['-c', line])]
  const guard: ChildProcess = spawn('/bin/sh', ['-c', GUARD, 'notif-kit-database', ...command], {
    cwd: '/',
    // A session of its own, so that Ctrl-C in a terminal reaches only this process, which stops Postgres last.
    detached: true,
    env: { LANG: 'C', LC_ALL: 'C', PATH: '/usr/local/bin:/usr/bin:/bin', TZ: 'UTC' },
    stdio: ['pipe', log, log],
    ...owner.spawn
  })
  closeSync(log)
  guard.stdin!.on('error', () => {})
  let hasEnded = false
  const ended = once(guard, 'exit').then(
    () => void (hasEnded = true),
    () => void (hasEnded = true)
  )
  const startedAt = Date.now()
  let hasReportedWait = false
  for (;;) {
    const file = readPidFile(data)
    if (file?.ready && isPostgresRunning(file.pid, data) && !hasEnded) {
      // The guard alone must not keep this process running.
      guard.unref()
      return { ended, pid: file.pid, stop: () => stop(guard, data, ended) }
    }
    if (hasEnded)
      throw new PostmasterFailed(
        `The embedded database did not start. The end of its log:\n${readLastLines(logFile, logSize)}`
      )
    if (!hasReportedWait && Date.now() - startedAt > 1_000) {
      hasReportedWait = true
      say('waiting for the embedded database to recover')
    }
    await pause(10)
  }
}

async function stop(guard: ChildProcess, data: string, ended: Promise<void>): Promise<void> {
  guard.ref()
  guard.stdin!.end()
  await ended
  // Needed only if the guard was killed, which leaves Postgres running.
  await stopPrevious(data, () => {})
}

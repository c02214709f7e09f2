// The running Postgres: started under a guard, watched until it is ready, stopped without leaving anything behind.

import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, readSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { StartupError } from '../../core/startup-error.ts'
import type { Owner } from './owner.ts'

/**
 * A shell between us and Postgres. Its standard input is a pipe from us, which the kernel closes when we die, even by
 * `kill -9`; then it stops Postgres in the orderly way. It also reports when Postgres ends.
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
  /** Resolves when Postgres has ended, for whatever reason. */
  readonly ended: Promise<void>
  /** Lets running transactions go, writes everything down, ends. */
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

/** Signal 0 asks whether it lives; a refusal means that it lives and is not ours. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Pids are used again, in containers soon: the number alone proves nothing. */
function isPostgresOf(pid: number, data: string): boolean {
  if (!signal(pid, 0)) return false
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(data)
  } catch {
    return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout.includes(data)
  }
}

/**
 * What is left of the server before: still stopping, or never told to.
 *
 * @param say - called when it takes over a second
 */
export async function stopPrevious(data: string, say: (line: string) => void): Promise<void> {
  const file = readPidFile(data)
  if (!file) return
  const { pid } = file
  if (!isPostgresOf(pid, data)) {
    // Postgres itself clears away after a dead one, but takes any living process of this number for its own.
    if (signal(pid, 0)) rmSync(join(data, 'postmaster.pid'), { force: true })
    return
  }
  const started = Date.now()
  let told = 0
  while (isPostgresOf(pid, data)) {
    const waited = Date.now() - started
    // Fast; after 15 s at once, which costs a recovery at the next start but no committed row.
    if (told === 0) signal(pid, 'SIGINT')
    if (told < 2 && waited > 1_000) say(`waiting for the database of the process before (pid ${pid}) to stop`)
    if (told < 3 && waited > 15_000) signal(pid, 'SIGQUIT')
    told = waited > 15_000 ? 3 : waited > 1_000 ? 2 : 1
    await pause(20)
  }
}

/** Bytes at the end of a log, which may have grown for years. */
const TAIL = 64 * 1024

/** @param from - what stands before was said at another start */
function lastLines(file: string, from: number): string {
  const log = openSync(file, 'r')
  try {
    const start = Math.max(from, sizeOf(file) - TAIL)
    const tail = Buffer.alloc(TAIL)
    const lines = tail
      .toString('utf8', 0, readSync(log, tail, 0, TAIL, start))
      .trim()
      .split('\n')
    return lines.slice(-6).join('\n')
  } finally {
    closeSync(log)
  }
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** A start that failed, with the last lines of Postgres's log. */
export class PostmasterFailed extends StartupError {}

/** Resolves when Postgres takes connections. @throws {@link PostmasterFailed} */
export async function startPostmaster(
  options: PostmasterOptions,
  say: (line: string) => void
): Promise<Postmaster> {
  const { data, logFile, owner, postgres, settings } = options
  const logged = sizeOf(logFile)
  const log = openSync(logFile, 'a', 0o600)
  const command = [...owner.prefix, postgres, '-D', data, ...settings.flatMap(line => ['-c', line])]
  const guard: ChildProcess = spawn('/bin/sh', ['-c', GUARD, 'notif-kit-database', ...command], {
    cwd: '/',
    // A session of its own: Ctrl-C in a terminal reaches us, and we stop Postgres last.
    detached: true,
    env: { LANG: 'C', LC_ALL: 'C', PATH: '/usr/local/bin:/usr/bin:/bin', TZ: 'UTC' },
    stdio: ['pipe', log, log],
    ...owner.spawn
  })
  closeSync(log)
  guard.stdin!.on('error', () => {})
  let over = false
  const ended = once(guard, 'exit').then(
    () => void (over = true),
    () => void (over = true)
  )
  const started = Date.now()
  let said = false
  for (;;) {
    const file = readPidFile(data)
    if (file?.ready && isPostgresOf(file.pid, data) && !over) {
      // The guard must not keep a process alive that has nothing else to do.
      guard.unref()
      return { ended, pid: file.pid, stop: () => stop(guard, data, ended) }
    }
    if (over)
      throw new PostmasterFailed(`The database did not start. Its log says:\n${lastLines(logFile, logged)}`)
    if (!said && Date.now() - started > 1_000) {
      said = true
      say('waiting for the database to recover')
    }
    await pause(10)
  }
}

async function stop(guard: ChildProcess, data: string, ended: Promise<void>): Promise<void> {
  guard.ref()
  guard.stdin!.end()
  await ended
  // Only after somebody killed the guard: then Postgres never heard of it.
  await stopPrevious(data, () => {})
}

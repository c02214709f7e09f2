// A real Postgres as a child process, turned into a URL. Nothing else in the server knows that there is one.
//
// Same program, same driver and same durability as a Postgres of one's own. It starts again by itself when it dies.

import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { StartupError } from '../../core/startup-error.ts'
import { findBinaries, type Binaries } from './binaries.ts'
import { findOwner, type Owner } from './owner.ts'
import { PostmasterFailed, startPostmaster, stopPrevious, type Postmaster } from './postmaster.ts'

export interface EmbeddedOptions {
  /** Already locked by the caller (lock.ts). */
  readonly dataDir: string
  /** Most connections at once; Postgres keeps three of them for its superuser. */
  readonly connections: number
  /** Progress of what takes over a second, and of a restart. */
  readonly say: (line: string) => void
  /** TCP on loopback even where a Unix socket would do: for programs that want a host and a port. */
  readonly tcp?: boolean
}

export interface Embedded {
  readonly url: string
  /** Of the running postmaster; another one after a restart. */
  readonly pid: number
  stop(): Promise<void>
}

const README = `This folder belongs to notif-kit. It holds its embedded Postgres (folder "postgres") and that one's password.

Back it up while notif-kit is stopped, or with pg_dump while it runs. Do not change files here by hand.
Deleting the folder deletes every notification, user and key.
For production set DATABASE_URL to a Postgres of your own.
`

const LOG_LIMIT = 10_000_000

/** @throws StartupError with a sentence for the operator */
export async function startEmbedded({ dataDir, connections, say, tcp }: EmbeddedOptions): Promise<Embedded> {
  mkdirSync(dataDir, { recursive: true })
  const home = realpathSync(dataDir)
  const data = join(home, 'postgres')
  const binaries = findBinaries()
  const owner = findOwner(binaries.postgres, home, data)
  const password = readPassword(home)

  await stopPrevious(data, say)
  if (!existsSync(data)) initialize({ binaries, data, home, owner, password, say })
  checkVersion(data, binaries.major)

  const logFile = join(home, 'postgres.log')
  if (existsSync(logFile) && statSync(logFile).size > LOG_LIMIT) renameSync(logFile, `${logFile}.1`)

  const place = await placeOf(data, tcp ?? false)
  const settings = [...place.settings, `max_connections=${connections}`, 'log_timezone=UTC', 'timezone=UTC']
  const start = () => startPostmaster({ data, logFile, owner, postgres: binaries.postgres, settings }, say)

  let current: Postmaster = await start()
  let stopping = false
  const supervised = (async () => {
    for (;;) {
      await current.ended
      if (stopping) return
      say('the database has stopped by itself; starting it again')
      current = await restart(start, data, say, () => stopping)
      if (stopping) return current.stop()
      say('the database is back')
    }
  })()
  // A restart that can never work is told by `say` already; whoever needs the database gets errors meanwhile.
  supervised.catch(() => {})

  return {
    get pid() {
      return current.pid
    },
    stop: async () => {
      stopping = true
      await current.stop()
      await supervised.catch(() => {})
    },
    url: `postgres://notif:${password}@${place.host}/postgres`
  }
}

/** Tries until it works: its own children may still hold the shared memory, or the disk may be full for a while. */
async function restart(
  start: () => Promise<Postmaster>,
  data: string,
  say: (line: string) => void,
  stopping: () => boolean
): Promise<Postmaster> {
  for (let tries = 0; ; tries++) {
    try {
      await stopPrevious(data, say)
      return await start()
    } catch (error) {
      if (!(error instanceof PostmasterFailed) || stopping()) throw error
      if (tries >= 20) say(error.message)
      await pause(Math.min(5_000, 50 * 2 ** Math.min(tries, 7)))
    }
  }
}

/** A socket in the folder of the data, which only its owner may enter; loopback where its path is too long. */
async function placeOf(data: string, tcp: boolean): Promise<{ host: string; settings: string[] }> {
  if (!tcp && Buffer.byteLength(`${data}/.s.PGSQL.5432`) <= 103 && !/[\s:,'"\\]/.test(data)) {
    return {
      host: `${encodeURIComponent(data)}:5432`,
      settings: ['listen_addresses=', `unix_socket_directories=${data}`, 'port=5432']
    }
  }
  const port = await freePort()
  return {
    host: `127.0.0.1:${port}`,
    settings: ['listen_addresses=127.0.0.1', 'unix_socket_directories=', `port=${port}`]
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => void server.close(resolve))
  return port
}

function readPassword(home: string): string {
  const file = join(home, 'password')
  try {
    if (existsSync(file)) return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new StartupError(
      `The data directory ${home} belongs to another user (${(error as Error).message}). ` +
        'Start as that user, or set NOTIF_DATA_DIR to another folder.'
    )
  }
  const password = randomBytes(24).toString('base64url')
  writeFileSync(file, `${password}\n`, { mode: 0o600 })
  return password
}

interface Initialize {
  readonly binaries: Binaries
  readonly data: string
  readonly home: string
  readonly owner: Owner
  readonly password: string
  readonly say: (line: string) => void
}

/** Beside its final name, and renamed when it is whole, so that a start cut short leaves nothing half made. */
function initialize({ binaries, data, home, owner, password, say }: Initialize): void {
  say(`creating the embedded database in ${data}`)
  const making = `${data}.new`
  const secret = join(making, '.password')
  rmSync(making, { force: true, recursive: true })
  mkdirSync(join(making, 'data'), { mode: 0o700, recursive: true })
  writeFileSync(secret, password, { mode: 0o600 })
  if (owner.files) {
    for (const path of [making, join(making, 'data'), secret])
      chownSync(path, owner.files.uid, owner.files.gid)
  }
  const options = '-U notif -A scram-sha-256 -E UTF8 --locale=C --no-instructions'.split(' ')
  const initdb = [binaries.initdb, '-D', join(making, 'data'), '--pwfile', secret]
  const [command, ...args] = [...owner.prefix, ...initdb, ...options]
  const env = { LANG: 'C', LC_ALL: 'C', PATH: '/usr/local/bin:/usr/bin:/bin', TZ: 'UTC' }
  const made = spawnSync(command!, args, { cwd: '/', encoding: 'utf8', env, ...owner.spawn })
  if (made.status !== 0) {
    throw new StartupError(
      `The embedded database could not be created in ${data}: ${(made.stderr || String(made.error)).trim()}`
    )
  }
  writeFileSync(join(home, 'README.txt'), README)
  writeFileSync(join(home, 'version'), `${binaries.major}\n`)
  renameSync(join(making, 'data'), data)
  rmSync(making, { force: true, recursive: true })
}

function checkVersion(data: string, major: string): void {
  const found = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim()
  if (found === major) return
  throw new StartupError(
    `The database in ${data} was made by Postgres ${found}, and this version brings Postgres ${major}. ` +
      'Dump it with the version that made it (pg_dump), move the folder away, start again and restore the dump.'
  )
}

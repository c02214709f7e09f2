// Runs Postgres as a child process and returns its URL. The rest of the server cannot tell it from an external database.
//
// If Postgres ends, it is started again.

import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
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
import { closeDataFolder } from './data-folder.ts'
import { findCreator, findOwner, warnOfSharedUser, type Owner } from './owner.ts'
import { PostmasterFailed, startPostmaster, stopPrevious, type Postmaster } from './postmaster.ts'

export interface EmbeddedOptions {
  /** Locked by the caller (directory-lock.ts). */
  readonly dataDir: string
  /** `max_connections`. Postgres reserves three of them for its superuser. */
  readonly connections: number
  /** Called with the progress of slow steps and restarts. */
  readonly say: (line: string) => void
  /** Listens on loopback instead of a Unix socket, for programs that need a host and a port. */
  readonly tcp?: boolean
  /** More settings of Postgres, as `name=value`. */
  readonly settings?: readonly string[]
}

export interface Embedded {
  readonly url: string
  /** Process id of the postmaster. It changes at a restart. */
  readonly pid: number
  stop(): Promise<void>
}

/**
 * After each checkpoint, the first change of a page writes the whole page to the write-ahead log. So checkpoints are rarer than by
 * default. These pages are not compressed. With pglz, the only method of this Postgres, the log was 12 percent smaller, and Postgres
 * needed 31 percent more processor time for each send.
 * https://www.postgresql.org/docs/18/runtime-config-wal.html
 */
const WAL_SETTINGS = ['max_wal_size=4GB']

const README = `This folder belongs to notif-kit. It holds the embedded Postgres database (folder "postgres") and its password.

Back it up while notif-kit is stopped, or with pg_dump while it runs. Do not edit files here.
Deleting the folder deletes every notification, user and key.
In production, set DATABASE_URL to a Postgres database of your own.
`

const MAX_LOG_BYTES = 10_000_000

/** @throws {@link StartupError} */
export async function startEmbedded({
  dataDir,
  connections,
  say,
  settings: more = [],
  tcp
}: EmbeddedOptions): Promise<Embedded> {
  mkdirSync(dataDir, { recursive: true })
  const home = realpathSync(dataDir)
  const openFolder = closeDataFolder(home)
  if (openFolder !== undefined) say(openFolder)
  const data = join(home, 'postgres')
  const binaries = findBinaries()
  const owner = findOwner(binaries.postgres, home, data)
  const password = readOrCreatePassword(home)
  const sharedUser = warnOfSharedUser(owner, data)
  if (sharedUser !== undefined) say(sharedUser)

  await stopPrevious(data, say)
  if (!existsSync(data)) initialize({ binaries, data, home, owner, password, say })
  checkVersion(data, binaries.major)

  const logFile = join(home, 'postgres.log')
  if (existsSync(logFile) && statSync(logFile).size > MAX_LOG_BYTES) renameSync(logFile, `${logFile}.1`)

  const address = await chooseAddress(data, tcp ?? false)
  const limit = `max_connections=${connections}`
  const settings = [...address.settings, ...WAL_SETTINGS, limit, 'log_timezone=UTC', 'timezone=UTC', ...more]
  const start = () => startPostmaster({ data, logFile, owner, postgres: binaries.postgres, settings }, say)

  let current: Postmaster = await start()
  let isStopping = false
  const supervised = (async () => {
    for (;;) {
      await current.ended
      if (isStopping) return
      say('the embedded database ended unexpectedly, starting it again')
      current = await restart(start, data, say, () => isStopping)
      if (isStopping) return current.stop()
      say('the embedded database runs again')
    }
  })()
  // `say` already reports a restart that fails for good. Queries fail meanwhile.
  supervised.catch(() => {})

  return {
    get pid() {
      return current.pid
    },
    stop: async () => {
      isStopping = true
      await current.stop()
      await supervised.catch(() => {})
    },
    url: `postgres://notif:${password}@${address.host}/postgres`
  }
}

/** Repeats the start until it works: children of the ended Postgres may hold shared memory, or the disk may be full. */
async function restart(
  start: () => Promise<Postmaster>,
  data: string,
  say: (line: string) => void,
  isStopping: () => boolean
): Promise<Postmaster> {
  for (let attempt = 0; ; attempt++) {
    try {
      await stopPrevious(data, say)
      return await start()
    } catch (error) {
      if (!(error instanceof PostmasterFailed) || isStopping()) throw error
      if (attempt >= 20) say(error.message)
      await pause(Math.min(5_000, 50 * 2 ** Math.min(attempt, 7)))
    }
  }
}

/** Returns a Unix socket in the data folder, which only its owner may enter, or loopback if its path is too long. */
async function chooseAddress(data: string, tcp: boolean): Promise<{ host: string; settings: string[] }> {
  if (!tcp && Buffer.byteLength(`${data}/.s.PGSQL.5432`) <= 103 && !/[\s:,'"\\]/.test(data)) {
    return {
      host: `${encodeURIComponent(data)}:5432`,
      settings: ['listen_addresses=', `unix_socket_directories=${data}`, 'port=5432']
    }
  }
  const port = await findFreePort()
  return {
    host: `127.0.0.1:${port}`,
    settings: ['listen_addresses=127.0.0.1', 'unix_socket_directories=', `port=${port}`]
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => void server.close(resolve))
  return port
}

function readOrCreatePassword(home: string): string {
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

/** Creates the database beside its final folder and renames it when it is complete, in case the start is interrupted. */
function initialize({ binaries, data, home, owner, password, say }: Initialize): void {
  say(`creating the embedded database in ${data}`)
  const newFolder = `${data}.new`
  const secret = join(newFolder, '.password')
  rmSync(newFolder, { force: true, recursive: true })
  mkdirSync(join(newFolder, 'data'), { mode: 0o700, recursive: true })
  writeFileSync(secret, password, { mode: 0o600 })
  const creator = findCreator(owner, binaries.initdb, home)
  if (creator.files) {
    for (const path of [newFolder, join(newFolder, 'data'), secret])
      chownSync(path, creator.files.uid, creator.files.gid)
  }
  const options = '-U notif -A scram-sha-256 -E UTF8 --locale=C --no-instructions'.split(' ')
  const initdb = [binaries.initdb, '-D', join(newFolder, 'data'), '--pwfile', secret]
  const [command, ...args] = [...creator.prefix, ...initdb, ...options]
  const env = { LANG: 'C', LC_ALL: 'C', PATH: '/usr/local/bin:/usr/bin:/bin', TZ: 'UTC' }
  const result = spawnSync(command!, args, { cwd: '/', encoding: 'utf8', env, ...creator.spawn })
  if (result.status !== 0) {
    throw new StartupError(
      `Cannot create the embedded database in ${data}: ${(result.stderr || String(result.error)).trim()}`
    )
  }
  if (owner.files) {
    // Closed to its creator first, which could otherwise exchange files meanwhile.
    chownSync(newFolder, 0, 0)
    const files = readdirSync(join(newFolder, 'data'), { recursive: true }) as string[]
    for (const path of ['', ...files])
      lchownSync(join(newFolder, 'data', path), owner.files.uid, owner.files.gid)
  }
  writeFileSync(join(home, 'README.txt'), README)
  writeFileSync(join(home, 'version'), `${binaries.major}\n`)
  renameSync(join(newFolder, 'data'), data)
  rmSync(newFolder, { force: true, recursive: true })
}

function checkVersion(data: string, major: string): void {
  const found = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim()
  if (found === major) return
  throw new StartupError(
    `The database in ${data} was created by Postgres ${found}, and this version contains Postgres ${major}. ` +
      'Dump it with the version that created it (pg_dump), move the folder away, start again and restore the dump.'
  )
}

// Waits at the start until the database answers: in a compose file everything starts at once.

import { setTimeout as sleep } from 'node:timers/promises'

import { StartupError } from '../core/startup-error.ts'
import { connect } from './connect.ts'
import { sessionSettings, type Address } from './db.ts'
import { classifyFailure } from './failure.ts'

const MIN_MAJOR_VERSION = 15

/** The code of a standby that is not promoted yet, or of a database that is read-only by default. */
const READ_ONLY = '25006'

/** Whether waiting may help: the database is not reachable, starts, stops, has no free connection, or is read-only. */
const isTemporary = (error: unknown): boolean =>
  ['unavailable', 'standby'].includes(classifyFailure(error) ?? '')

/** This text is the only sign of a pooler. Its other errors have the same code, and may be temporary. */
const POOLER_TEXT = 'unsupported startup parameter'

/** Returns host, port and name of the database, without its password. */
export function toPublicAddress(url: string): string {
  const { host, pathname } = new URL(url)
  return decodeURIComponent(`${host}${pathname}`)
}

/**
 * Resolves when the database answers and is new enough.
 *
 * @param onWait - called once if it has to wait
 * @returns the version of Postgres
 * @throws {@link StartupError}
 */
export async function waitForDatabase(
  address: Address,
  timeoutMs: number,
  onWait: (line: string) => void
): Promise<string> {
  const { url } = address
  const publicAddress = toPublicAddress(url)
  const startedAt = Date.now()
  let hasWaited = false
  for (;;) {
    // The same settings as later sessions, so that a database that refuses them is found here.
    const connection = sessionSettings(address, 'start', 5_000)
    const sql = connect(url, { connect_timeout: 5, connection, max: 1, onnotice: () => {} })
    try {
      const [row] = await sql<{ number: number; version: string; isReadOnly: boolean }[]>`
        select current_setting('server_version_num')::integer as number, current_setting('server_version') as version,
          current_setting('transaction_read_only')::boolean as "isReadOnly"`
      if (row!.number < MIN_MAJOR_VERSION * 10_000) {
        throw new StartupError(
          `DATABASE_URL: the database at ${publicAddress} is Postgres ${row!.version}. ` +
            `notif-kit needs Postgres ${MIN_MAJOR_VERSION} or newer.`
        )
      }
      if (!row!.isReadOnly) return row!.version
      throw Object.assign(new Error('it is read-only'), { code: READ_ONLY })
    } catch (error) {
      if (error instanceof StartupError) throw error
      const { code = '', message } = error as Error & { code?: string }
      if (message.includes(POOLER_TEXT)) {
        throw new StartupError(
          `DATABASE_URL: ${publicAddress} is a connection pooler. Set DATABASE_LISTEN_URL to the direct address of ` +
            'the database as well.'
        )
      }
      if (!isTemporary(error)) {
        throw new StartupError(
          `DATABASE_URL: cannot use the database at ${publicAddress}: ${message}. ` +
            'Check host, user, password and database name.'
        )
      }
      if (Date.now() - startedAt >= timeoutMs) {
        throw new StartupError(
          `DATABASE_URL: the database at ${publicAddress} could not be used within ${timeoutMs / 1000} s ` +
            `(${message || code}). Check the address, and whether the database is running.`
        )
      }
      if (!hasWaited) onWait(`waiting for the database at ${publicAddress}`)
      hasWaited = true
    } finally {
      await sql.end({ timeout: 1 }).catch(() => {})
    }
    await sleep(Math.min(500, Math.max(0, startedAt + timeoutMs - Date.now())))
  }
}

// A database that may not be up yet, as in a compose file, where everything starts at once.

import { setTimeout as pause } from 'node:timers/promises'

import { StartupError } from '../core/startup-error.ts'
import { connect } from './connect.ts'
import { sessionOf, type Address } from './db.ts'
import { classifyFailure } from './failure.ts'

const OLDEST = 15

/** Of a standby that has not been promoted yet, or by a default of the database. */
const READ_ONLY = '25006'

/** Not there, not reachable, starting up, stopping, out of connections, read-only: all of these pass. */
const passes = (error: unknown): boolean => ['unavailable', 'standby'].includes(classifyFailure(error) ?? '')

/** What a pooler says that is taken for the database; whatever else it says under the same code may pass. */
const POOLER = 'unsupported startup parameter'

/** The address without its password. */
function nameOf(url: string): string {
  const { host, pathname } = new URL(url)
  return decodeURIComponent(`${host}${pathname}`)
}

/**
 * Resolves when the database answers and is new enough.
 *
 * @param patience - milliseconds
 * @param say - called once when it has to wait
 * @throws {@link StartupError}
 */
export async function waitForDatabase(
  address: Address,
  patience: number,
  say: (line: string) => void
): Promise<void> {
  const { url } = address
  const started = Date.now()
  let said = false
  for (;;) {
    // As the sessions will be that follow: what is refused to them is refused here.
    const connection = sessionOf(address, 'start', 5_000)
    const sql = connect(url, { connect_timeout: 5, connection, max: 1, onnotice: () => {} })
    try {
      const [row] = await sql<{ number: number; shown: string; fixed: boolean }[]>`
        select current_setting('server_version_num')::integer as number, current_setting('server_version') as shown,
          current_setting('transaction_read_only')::boolean as fixed`
      if (row!.number < OLDEST * 10_000) {
        throw new StartupError(
          `The database at ${nameOf(url)} is Postgres ${row!.shown}, and notif-kit needs ${OLDEST} or newer.`
        )
      }
      if (!row!.fixed) return
      throw Object.assign(new Error('it is read-only'), { code: READ_ONLY })
    } catch (error) {
      if (error instanceof StartupError) throw error
      const { code = '', message } = error as Error & { code?: string }
      if (message.includes(POOLER)) {
        throw new StartupError(
          `The database at ${nameOf(url)} is a pooler. Name its direct address in DATABASE_LISTEN_URL as well.`
        )
      }
      if (!passes(error)) {
        throw new StartupError(`The database at ${nameOf(url)} refuses: ${message}. Check DATABASE_URL.`)
      }
      if (Date.now() - started >= patience) {
        throw new StartupError(
          `The database at ${nameOf(url)} could not be used within ${patience / 1000} s (${message || code}). ` +
            'Check DATABASE_URL, and whether the database is running.'
        )
      }
      if (!said) say(`waiting for the database at ${nameOf(url)}`)
      said = true
    } finally {
      await sql.end({ timeout: 1 }).catch(() => {})
    }
    await pause(Math.min(500, Math.max(0, started + patience - Date.now())))
  }
}

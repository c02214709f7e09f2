// Sends legacy clients what they missed, page by page, each page after the one before was written to the socket.
//
// Our own clients get a reset and load the first page. Legacy clients do not know resets and never ask.

import { setTimeout as sleep } from 'node:timers/promises'

import type { Log } from '../../core/log.ts'
import type { DatabaseGroup } from '../../db/db.ts'
import { readNewer, type ChangeLimits } from '../read-inbox.sql.ts'
import type { ConnectedUser } from './connection-registry.ts'
import { encodeLegacyNotifications } from './connection.ts'
import type { PlainConnection } from './plain-connection.ts'

/** Average; each pause is random, so that nodes do not retry together. */
const RETRY_DELAY_MS = 500

/** Ends at once when `stopped` is aborted. */
export const pauseBeforeRetry = (stopped: AbortSignal): Promise<void> =>
  sleep(RETRY_DELAY_MS * (0.5 + Math.random()), undefined, { ref: false, signal: stopped }).catch(() => {})

export class LegacyCatchUp {
  readonly #log: Log
  readonly #limits: ChangeLimits
  readonly #stopped: AbortSignal
  /** The page that is being read: one for each group at a time, so that clients far behind take turns. */
  readonly #reading = new Map<DatabaseGroup, Promise<unknown>>()

  /** @param limits - of one page; below the socket's buffer limit, because other frames come between */
  constructor(log: Log, limits: ChangeLimits, stopped: AbortSignal) {
    this.#log = log
    this.#limits = limits
    this.#stopped = stopped
  }

  /** Sends what came after the client's version, oldest first. Resolves at the end, after a close, or after a failure. */
  async send(group: DatabaseGroup, user: ConnectedUser, connection: PlainConnection): Promise<void> {
    connection.isCatchingUp = true
    try {
      for (let hasMore = true; hasMore && user.connections.has(connection) && !this.#stopped.aborted;) {
        hasMore = await this.#sendPage(group, user, connection)
      }
    } catch (error) {
      if (this.#stopped.aborted) return
      this.#log.warn(
        { event: 'legacy_catch_up_failed', err: error },
        'could not read a page of missed notifications; trying again within a second'
      )
      await pauseBeforeRetry(this.#stopped)
    } finally {
      connection.isCatchingUp = false
    }
  }

  async #sendPage(group: DatabaseGroup, user: ConnectedUser, connection: PlainConnection): Promise<boolean> {
    const page = await this.#readInTurn(group, () =>
      readNewer(group.sql, user, connection.version ?? 0, this.#limits)
    )
    connection.version = page.version
    if (page.items.length > 0) {
      const frame = encodeLegacyNotifications(page.items.toReversed())
      await new Promise<void>(resolve => connection.send(frame, resolve))
    }
    return page.hasMore
  }

  #readInTurn<T>(group: DatabaseGroup, read: () => Promise<T>): Promise<T> {
    const turn = (this.#reading.get(group) ?? Promise.resolve()).then(read)
    this.#reading.set(
      group,
      turn.catch(() => {})
    )
    return turn
  }
}

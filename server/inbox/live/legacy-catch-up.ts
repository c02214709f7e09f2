// What existing clients have missed beyond one change. Our own are told to start again; these know no such word and never
// ask, so what is new comes to them page by page, each once the one before has left.

import { setTimeout as sleep } from 'node:timers/promises'

import type { Log } from '../../core/log.ts'
import type { Group } from '../../db/db.ts'
import { readNewer, type Most } from '../read-inbox.sql.ts'
import type { Audience } from './connection-registry.ts'
import { vendorNews } from './connection.ts'
import type { PlainConnection } from './plain-connection.ts'

/** Milliseconds, about. */
const PAUSE = 500

/** After a failed read. Ends at once where everything is to end. */
export const pause = (stopped: AbortSignal): Promise<void> =>
  sleep(PAUSE * (0.5 + Math.random()), undefined, { ref: false, signal: stopped }).catch(() => {})

/** Tells existing clients page by page; none of them waits for another one that reads slowly. */
export class VendorPages {
  readonly #log: Log
  readonly #most: Most
  readonly #stopped: AbortSignal
  /** The page that is read: of each group one at a time, so that those who are far behind take turns. */
  readonly #reading = new Map<Group, Promise<unknown>>()

  /** @param most - of one page; less than what a connection may have waiting, because other frames come between */
  constructor(log: Log, most: Most, stopped: AbortSignal) {
    this.#log = log
    this.#most = most
    this.#stopped = stopped
  }

  /** Tells what came after its version, the oldest first. Resolves when that is all, when it has gone, or after a failure. */
  async tell(group: Group, audience: Audience, connection: PlainConnection): Promise<void> {
    connection.paged = true
    try {
      for (let more = true; more && audience.connections.has(connection) && !this.#stopped.aborted;) {
        more = await this.#page(group, audience, connection)
      }
    } catch (error) {
      if (this.#stopped.aborted) return
      this.#log.warn({ err: error }, 'could not read a page of what a connection missed, trying again')
      await pause(this.#stopped)
    } finally {
      connection.paged = false
    }
  }

  async #page(group: Group, audience: Audience, connection: PlainConnection): Promise<boolean> {
    const page = await this.#turn(group, () =>
      readNewer(group.sql, audience, connection.version ?? 0, this.#most)
    )
    connection.version = page.version
    if (page.items.length > 0) {
      await new Promise<void>(resolve => connection.send(vendorNews(page.items.toReversed()), resolve))
    }
    return page.more
  }

  #turn<T>(group: Group, read: () => Promise<T>): Promise<T> {
    const turn = (this.#reading.get(group) ?? Promise.resolve()).then(read)
    this.#reading.set(
      group,
      turn.catch(() => {})
    )
    return turn
  }
}

// Tells connections what they missed: one read at a time for each database group, for as many users as wait by then.

import type { Log } from '../../core/log.ts'
import type { Db, Group } from '../../db/db.ts'
import { CHANGE_LIMIT } from '../items.sql.ts'
import { readChanges, type Most } from '../read-inbox.sql.ts'
import { askingOf, settle, sinceOf, type Audience } from './connection-registry.ts'
import type { Connection } from './connection.ts'
import { pause, VendorPages } from './legacy-catch-up.ts'
import { PlainConnection } from './plain-connection.ts'

/** Users of one read: few enough that a full read of each fits into memory. */
const BATCH = 200

export class CatchUp {
  readonly #db: Db
  readonly #log: Log
  readonly #most: Most
  readonly #pages: VendorPages
  readonly #waiting = new Map<Group, Set<Audience>>()
  readonly #running = new Set<Group>()
  readonly #stopped = new AbortController()

  /** @param bytes - that a connection of one reader takes at once */
  constructor(db: Db, log: Log, bytes: number) {
    this.#db = db
    this.#log = log
    this.#most = { bytes, items: CHANGE_LIMIT }
    // Half: answers that are sent meanwhile must not find too much waiting.
    this.#pages = new VendorPages(
      log,
      { bytes: Math.trunc(bytes / 2), items: CHANGE_LIMIT },
      this.#stopped.signal
    )
  }

  /** Looks for what an audience has missed, soon. */
  need(audience: Audience): void {
    const group = this.#db.of(audience.bucket)
    let waiting = this.#waiting.get(group)
    if (!waiting) {
      waiting = new Set()
      this.#waiting.set(group, waiting)
    }
    waiting.add(audience)
    if (this.#running.has(group) || this.#stopped.signal.aborted) return
    this.#running.add(group)
    // Whoever else comes in this tick shares the first read.
    setImmediate(() => void this.#run(group, waiting))
  }

  close(): void {
    this.#stopped.abort()
  }

  async #run(group: Group, waiting: Set<Audience>): Promise<void> {
    while (waiting.size > 0 && !this.#stopped.signal.aborted) {
      const batch = [...waiting].slice(0, BATCH)
      // Before the read: whoever has cause to look again while it is under way waits for the next one.
      for (const audience of batch) waiting.delete(audience)
      try {
        await this.#read(group, batch)
      } catch (error) {
        for (const audience of batch) waiting.add(audience)
        if (this.#stopped.signal.aborted) break
        this.#log.warn(
          { err: error, users: batch.length },
          'could not read what connections missed, trying again'
        )
        await pause(this.#stopped.signal)
      }
    }
    this.#running.delete(group)
  }

  async #read(group: Group, batch: readonly Audience[]): Promise<void> {
    const asked = batch
      .map(audience => ({ asking: askingOf(audience), audience }))
      .filter(({ asking }) => asking.size > 0)
    if (asked.length === 0) return
    const missed = await readChanges(
      group.sql,
      group.buckets,
      asked.map(({ asking, audience: { bucket, envId, userId } }) => ({
        bucket,
        envId,
        since: sinceOf(asking),
        userId
      })),
      this.#most
    )
    for (const [i, { audience, asking }] of asked.entries()) {
      const answer = missed[i]!
      if (answer.kind === 'reset') this.#tellPages(group, audience, asking, answer.reset.version)
      settle(audience, asking, answer)
    }
  }

  /** Whoever cannot start again is taken from those who asked, and asks again when it has heard all. */
  #tellPages(
    group: Group,
    audience: Audience,
    asking: Map<Connection, number | undefined>,
    head: number
  ): void {
    for (const [connection, version] of asking) {
      if (!(connection instanceof PlainConnection) || connection.kind !== 'vendor') continue
      if (version === undefined || version >= head) continue
      asking.delete(connection)
      void this.#pages.tell(group, audience, connection).then(() => this.need(audience))
    }
  }
}

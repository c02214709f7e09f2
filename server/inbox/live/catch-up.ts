// Reads and sends what connections missed: one read at a time for each database group, for up to 200 users together.

import type { Log } from '../../core/log.ts'
import type { Db, DatabaseGroup } from '../../db/db.ts'
import { readPauses } from '../../users/preferences/pauses.sql.ts'
import { MAX_CHANGE_ITEMS } from '../patch-items.sql.ts'
import { readChanges, type ChangeLimits } from '../read-inbox.sql.ts'
import {
  lowestVersion,
  sendMissed,
  snapshotVersions,
  type ConnectedUser,
  type VersionSnapshot
} from './connection-registry.ts'
import type { Connection } from './connection.ts'
import { LegacyCatchUp, pauseBeforeRetry } from './legacy-catch-up.ts'
import { PlainConnection } from './plain-connection.ts'

/** Whether one of the connections waits for the answer to its handshake. */
const isGreeted = (versions: VersionSnapshot): boolean => [...versions.keys()].some(({ isReady }) => !isReady)

/** Users in one read: a complete page of each has to fit into memory. */
const USERS_PER_READ = 200

export class CatchUp {
  readonly #db: Db
  readonly #log: Log
  readonly #limits: ChangeLimits
  readonly #legacy: LegacyCatchUp
  readonly #waiting = new Map<DatabaseGroup, Set<ConnectedUser>>()
  readonly #running = new Set<DatabaseGroup>()
  readonly #stopped = new AbortController()

  /** @param maxBytes - contents that are sent to one connection at once */
  constructor(db: Db, log: Log, maxBytes: number) {
    this.#db = db
    this.#log = log
    this.#limits = { maxBytes, maxItems: MAX_CHANGE_ITEMS }
    // Half of the bytes, because answers to other frames share the socket's buffer with a page.
    const pageLimits = { maxBytes: Math.trunc(maxBytes / 2), maxItems: MAX_CHANGE_ITEMS }
    this.#legacy = new LegacyCatchUp(log, pageLimits, this.#stopped.signal)
  }

  /** Schedules a read of what the user's connections missed. */
  request(user: ConnectedUser): void {
    const group = this.#db.of(user.bucket)
    let waiting = this.#waiting.get(group)
    if (!waiting) {
      waiting = new Set()
      this.#waiting.set(group, waiting)
    }
    waiting.add(user)
    if (this.#running.has(group) || this.#stopped.signal.aborted) return
    this.#running.add(group)
    // Requests of the same tick share the first read.
    setImmediate(() => void this.#run(group, waiting))
  }

  close(): void {
    this.#stopped.abort()
  }

  async #run(group: DatabaseGroup, waiting: Set<ConnectedUser>): Promise<void> {
    while (waiting.size > 0 && !this.#stopped.signal.aborted) {
      const batch = [...waiting].slice(0, USERS_PER_READ)
      // Removed before the read, so that a request that arrives during the read causes another one.
      for (const user of batch) waiting.delete(user)
      try {
        await this.#read(group, batch)
      } catch (error) {
        for (const user of batch) waiting.add(user)
        if (this.#stopped.signal.aborted) break
        this.#log.warn(
          { event: 'catch_up_failed', err: error, userCount: batch.length },
          'could not read missed inbox changes; trying again within a second'
        )
        await pauseBeforeRetry(this.#stopped.signal)
      }
    }
    this.#running.delete(group)
  }

  async #read(group: DatabaseGroup, batch: readonly ConnectedUser[]): Promise<void> {
    const readers = batch
      .map(user => ({ user, versions: snapshotVersions(user) }))
      .filter(({ versions }) => versions.size > 0)
    if (readers.length === 0) return
    const greeted = readers.flatMap(({ user, versions }) => (isGreeted(versions) ? [user] : []))
    const [missed, pauses] = await Promise.all([
      readChanges(
        group.sql,
        group.buckets,
        readers.map(({ user: { bucket, envId, userId }, versions }) => ({
          bucket,
          envId,
          since: lowestVersion(versions),
          userId
        })),
        this.#limits
      ),
      greeted.length > 0 ? readPauses(group.sql, group.buckets, greeted) : []
    ])
    const pauseOf = new Map(greeted.map((user, i) => [user, pauses[i]]))
    for (const [i, { user, versions }] of readers.entries()) {
      const changes = missed[i]!
      if (changes.kind === 'reset') this.#sendPages(group, user, versions, changes.reset.version)
      sendMissed(user, versions, changes, pauseOf.get(user))
    }
  }

  /** Takes legacy clients out of the snapshot, because they do not know resets, and sends them pages instead. */
  #sendPages(
    group: DatabaseGroup,
    user: ConnectedUser,
    versions: Map<Connection, number | undefined>,
    inboxVersion: number
  ): void {
    for (const [connection, version] of versions) {
      if (!(connection instanceof PlainConnection) || connection.kind !== 'legacy') continue
      if (version === undefined || version >= inboxVersion) continue
      versions.delete(connection)
      void this.#legacy.send(group, user, connection).then(() => this.request(user))
    }
  }
}

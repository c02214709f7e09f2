// Informs the connections of a user that the preferences have changed, with the pause, which a bell shows.

import type { Log } from '../../core/log.ts'
import type { Db } from '../../db/db.ts'
import { readPauses } from '../../users/preferences/pauses.sql.ts'
import type { ConnectedUser, ConnectionRegistry } from './connection-registry.ts'

export class PreferenceNotices {
  readonly #db: Db
  readonly #log: Log
  readonly #registry: ConnectionRegistry
  /** Users whose pause is being read, and whether it has changed again meanwhile. */
  readonly #reading = new Map<ConnectedUser, boolean>()

  constructor(db: Db, log: Log, registry: ConnectionRegistry) {
    this.#db = db
    this.#log = log
    this.#registry = registry
  }

  /** Invariant: reads of one user follow each other. Otherwise an older pause could be sent last. */
  notify(envId: string, userId: string): void {
    const user = this.#registry.find(envId, userId)
    if (!user) return
    const isReading = this.#reading.has(user)
    this.#reading.set(user, isReading)
    if (!isReading) void this.#send(user)
  }

  async #send(user: ConnectedUser): Promise<void> {
    do {
      this.#reading.set(user, false)
      const group = this.#db.of(user.bucket)
      try {
        const [pause] = await readPauses(group.sql, group.buckets, [user])
        this.#registry.notifyPreferencesChanged(user, { pause: pause! })
      } catch (err) {
        this.#log.warn(
          { envId: user.envId, err, event: 'pause_unread' },
          'could not read the pause of a user; pages are told of changed preferences without it'
        )
        this.#registry.notifyPreferencesChanged(user, {})
      }
    } while (this.#reading.get(user))
    this.#reading.delete(user)
  }
}

// What both kinds of endpoints need to let somebody in.

import type { Config } from '../../config/config.ts'
import type { Environments } from '../../config/environment.ts'
import type { Clock } from '../../core/clock.ts'
import type { LiveUpdates } from '../../core/live-updates.ts'
import type { Log } from '../../core/log.ts'
import type { Db } from '../../db/db.ts'
import type { Types } from '../../types/type.ts'
import type { CatchUp } from './catch-up.ts'
import type { Audience, Registry } from './connection-registry.ts'
import type { Connection } from './connection.ts'
import type { Session } from './handshake.ts'
import type { Addresses } from './socket-limits.ts'

interface Shared {
  readonly addresses: Addresses
  readonly clock: Clock
  readonly config: Pick<Config, 'inboxPageBytes' | 'preferencesLimit' | 'socketBacklog'>
  readonly db: Db
  readonly environments: Environments
  /** Milliseconds. */
  readonly heartbeat: number
  readonly live: LiveUpdates
  readonly log: Log
  readonly types: Types
  /** What existing clients subscribe to web push with; `''`: there is none. */
  readonly vapidPublicKey: string
}

export interface Hub extends Shared {
  /** No new sockets: the process is about to end. */
  closing: boolean
  /** Sockets dropped because their clients read too slowly or not at all. */
  dropped: number
  /** First among the listeners, then what was missed is read: nothing falls between. */
  join(connection: Connection, guest: Session): Audience
  leave(connection: Connection, audience: Audience): void
  /** The client says where it is and that something is missing. */
  sync(connection: Connection, audience: Audience, said: unknown): void
}

export function openHub(shared: Shared, registry: Registry, catchUp: CatchUp): Hub {
  const hub: Hub = {
    ...shared,
    closing: false,
    dropped: 0,
    join(connection, guest) {
      connection.version = guest.version
      connection.proof = guest.proof
      const audience = registry.join(connection, guest)
      catchUp.need(audience)
      // Its credentials were still being read when all others were asked to go.
      if (hub.closing) connection.move()
      return audience
    },
    leave: (connection, audience) => registry.leave(connection, audience),
    sync(connection, audience, said) {
      const version = Object(said).version as unknown
      if (typeof version !== 'number' || !Number.isSafeInteger(version) || version < 0) return
      connection.version = version
      catchUp.need(audience)
    }
  }
  return hub
}

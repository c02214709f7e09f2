// What both kinds of endpoints need to let somebody in.

import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/sql.ts'
import type { Environments } from '../environments/environment.ts'
import type { Log } from '../log.ts'
import type { Types } from '../types/type.ts'
import type { CatchUp } from './catch-up.ts'
import type { Connection } from './connection.ts'
import type { Guest } from './hello.ts'
import type { Addresses } from './limits.ts'
import type { Live } from './live.ts'
import type { Audience, Registry } from './registry.ts'

export interface HubOptions {
  readonly clock: Clock
  readonly config: Pick<Config, 'inboxPageBytes' | 'preferencesLimit' | 'socketBacklog'>
  readonly db: Db
  readonly environments: Environments
  readonly types: Types
  readonly log: Log
  readonly live: Live
  readonly registry: Registry
  readonly catchUp: CatchUp
  readonly addresses: Addresses
  /** Milliseconds. */
  readonly heartbeat: number
  /** What existing clients subscribe to web push with; `''`: there is none. */
  readonly vapidPublicKey: string
}

export class Hub {
  readonly addresses: Addresses
  readonly backlog: number
  readonly clock: Clock
  readonly db: Db
  readonly environments: Environments
  readonly heartbeat: number
  readonly live: Live
  readonly log: Log
  readonly pageBytes: number
  readonly preferencesLimit: number
  readonly types: Types
  readonly vapidPublicKey: string
  /** No new sockets: the process is about to end. */
  closing = false
  /** Sockets dropped because their clients read too slowly or not at all. */
  dropped = 0
  readonly #registry: Registry
  readonly #catchUp: CatchUp

  constructor(options: HubOptions) {
    this.addresses = options.addresses
    this.backlog = options.config.socketBacklog
    this.clock = options.clock
    this.db = options.db
    this.environments = options.environments
    this.heartbeat = options.heartbeat
    this.live = options.live
    this.log = options.log
    this.pageBytes = options.config.inboxPageBytes
    this.preferencesLimit = options.config.preferencesLimit
    this.types = options.types
    this.vapidPublicKey = options.vapidPublicKey
    this.#catchUp = options.catchUp
    this.#registry = options.registry
  }

  /** First among the listeners, then what was missed is read: nothing falls between. */
  join(connection: Connection, guest: Guest): Audience {
    connection.version = guest.version
    connection.proof = guest.proof
    const audience = this.#registry.join(connection, guest)
    this.#catchUp.need(audience)
    // Its credentials were still being read when all others were asked to go.
    if (this.closing) connection.move()
    return audience
  }

  leave(connection: Connection, audience: Audience | undefined): void {
    if (audience) this.#registry.leave(connection, audience)
  }

  /** The client says where it is and that something is missing. */
  sync(connection: Connection, audience: Audience, said: unknown): void {
    const version = Object(said).version as unknown
    if (typeof version !== 'number' || !Number.isSafeInteger(version) || version < 0) return
    connection.version = version
    this.#catchUp.need(audience)
  }
}

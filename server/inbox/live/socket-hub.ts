// The socket hub: what both endpoints share, and how they register their connections.

import type { WebSocket } from 'ws'

import type { Environments } from '../../config/environment-settings.ts'
import type { Clock } from '../../core/clock.ts'
import type { UserKey } from '../../core/id.ts'
import type { LiveUpdates } from '../../core/live-updates.ts'
import type { Log } from '../../core/log.ts'
import type { UnsentBytes } from '../../core/unsent-bytes.ts'
import type { Db } from '../../db/db.ts'
import type { RateLimit } from '../../http/rate-limits.ts'
import type { Types } from '../../types/type.ts'
import type { AfterRead } from '../patch-items.sql.ts'
import type { CatchUp } from './catch-up.ts'
import type { ConnectionRegistry } from './connection-registry.ts'
import type { Connection } from './connection.ts'
import type { Session } from './handshake.ts'
import type { LiveLimits, SocketsPerAddress } from './socket-limits.ts'

interface Shared {
  readonly addressLimit: RateLimit
  readonly addresses: SocketsPerAddress
  readonly afterRead?: AfterRead | undefined
  readonly clock: Clock
  readonly db: Db
  readonly environments: Environments
  readonly heartbeatMs: number
  readonly limits: LiveLimits
  readonly live: LiveUpdates
  readonly log: Log
  /** Opens the live tail of sends on a socket whose first frame asks for it. Default: there is none. */
  readonly openTail?: ((socket: WebSocket, payload: unknown) => void) | undefined
  readonly types: Types
  readonly unsent: UnsentBytes
  /** For web push of legacy clients; `''` if there is none. */
  readonly vapidPublicKey: string
}

export interface OpenConnection {
  close(): void
  /** Handles a frame in which the client gives its inbox version, because it noticed that it missed changes. */
  sync(payload: unknown): void
}

export type OpeningSession = UserKey & Pick<Session, 'version'> & { readonly credential: string | undefined }

export interface SocketHub extends Shared {
  /** The process is stopping and accepts no new sockets. */
  isClosing: boolean
  /** Sockets that were terminated because their clients read too slowly or not at all. */
  droppedCount: number
  /** Registers a connection, then reads what its client missed. In this order no change is lost between the two. */
  open(connection: Connection, session: OpeningSession): OpenConnection
  logHandshakeError(error: unknown): void
}

export function createSocketHub(shared: Shared, registry: ConnectionRegistry, catchUp: CatchUp): SocketHub {
  const hub: SocketHub = {
    ...shared,
    droppedCount: 0,
    isClosing: false,
    logHandshakeError(error) {
      shared.log.warn(
        { event: 'handshake_failed', err: error },
        'could not check the credentials of a socket; its client is asked to try again'
      )
    },
    open(connection, session) {
      connection.version = session.version
      connection.credential = session.credential
      const user = registry.add(connection, session)
      catchUp.request(user)
      // The process began to stop while the credentials of this socket were checked.
      if (hub.isClosing) connection.requestReconnect()
      return {
        close: () => registry.remove(connection, user),
        sync(payload) {
          const version = Object(payload).version as unknown
          if (typeof version !== 'number' || !Number.isSafeInteger(version) || version < 0) return
          connection.version = version
          catchUp.request(user)
        }
      }
    }
  }
  return hub
}

// A connection of the plain endpoint: its buffer limit, its heartbeats, and the ways to close it.

import { WebSocket } from 'ws'

import { userKeyText } from '../../core/id.ts'
import type { UnsentBytes } from '../../core/unsent-bytes.ts'
import type { Connection } from './connection.ts'
import type { Session } from './handshake.ts'
import type { LiveLimits } from './socket-limits.ts'

/** "Service Restart" (IANA WebSocket close codes): the client reconnects. */
const CLOSE_RESTART = 1012

interface Shared {
  readonly limits: Pick<LiveLimits, 'backlogBytes'>
  /** Connections that were terminated because their clients read too slowly or not at all. */
  droppedCount: number
  readonly unsent: UnsentBytes
}

export class PlainConnection implements Connection {
  readonly kind: 'plain' | 'legacy'
  readonly openedAt = performance.now()
  version: number | undefined
  credential: string | undefined
  isReady = false
  isCatchingUp = false
  nextHeartbeatAt: number | undefined
  readonly #socket: WebSocket
  readonly #shared: Shared
  /** The client in {@link UnsentBytes.hold}. */
  readonly #client: string
  #isAlive = true

  constructor(kind: 'plain' | 'legacy', socket: WebSocket, shared: Shared, session: Session) {
    this.kind = kind
    this.#socket = socket
    this.#shared = shared
    this.#client = userKeyText(session)
    socket.on('pong', () => {
      this.#isAlive = true
    })
  }

  /** @param onSent - called when the text was written to the socket, or never will be */
  send(text: string, onSent?: () => void): void {
    const isFull = this.#socket.bufferedAmount > this.#shared.limits.backlogBytes
    if (!isFull && this.#socket.readyState === WebSocket.OPEN) {
      let release: (() => void) | undefined
      this.#socket.send(text, () => {
        release?.()
        onSent?.()
      })
      if (this.#socket.bufferedAmount > 0) release = this.#hold(text.length)
      return
    }
    if (isFull) this.#drop()
    onSent?.()
  }

  #hold(bytes: number): () => void {
    return this.#shared.unsent.hold(this.#client, bytes, () => this.#drop())
  }

  #drop(): void {
    this.#shared.droppedCount += 1
    this.terminate()
  }

  sendHeartbeat(text: string | undefined): void {
    if (!this.#isAlive) {
      this.terminate()
      return
    }
    this.#isAlive = false
    if (text !== undefined) this.send(text)
    // Browsers answer pings themselves, but do not show them to the page; so the page gets the text.
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.ping()
  }

  requestReconnect(): void {
    this.#socket.close(CLOSE_RESTART)
  }

  terminate(): void {
    this.#socket.terminate()
  }
}

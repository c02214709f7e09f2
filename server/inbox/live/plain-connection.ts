// A connection of the plain endpoint: its backlog, its signs of life, and its ways to end.

import { WebSocket } from 'ws'

import type { Config } from '../../config/config.ts'
import type { Connection } from './connection.ts'

/** Close code of RFC 6455: the client is to come again, elsewhere. */
const RESTART = 1012

/** What all connections of a node share. */
interface Shared {
  readonly config: Pick<Config, 'socketBacklog'>
  /** Those that were dropped because their clients read too slowly or not at all. */
  dropped: number
}

/** Of our own client, or of an existing one. */
export class PlainConnection implements Connection {
  readonly kind: 'plain' | 'vendor'
  readonly openedAt = performance.now()
  version: number | undefined
  proof: string | undefined
  greeted = false
  paged = false
  beatAt: number | undefined
  readonly #socket: WebSocket
  readonly #shared: Shared
  #alive = true

  constructor(kind: 'plain' | 'vendor', socket: WebSocket, shared: Shared) {
    this.kind = kind
    this.#socket = socket
    this.#shared = shared
    socket.on('pong', () => {
      this.#alive = true
    })
  }

  /** @param sent - called when it has left, or never will */
  send(text: string, sent?: () => void): void {
    const isFull = this.#socket.bufferedAmount > this.#shared.config.socketBacklog
    if (!isFull && this.#socket.readyState === WebSocket.OPEN) {
      this.#socket.send(text, sent)
      return
    }
    if (isFull) {
      this.#shared.dropped += 1
      this.drop()
    }
    sent?.()
  }

  beat(text: string | undefined): void {
    if (!this.#alive) {
      this.drop()
      return
    }
    this.#alive = false
    if (text !== undefined) this.send(text)
    // Browsers do not show these to a page; they answer by themselves.
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.ping()
  }

  move(): void {
    this.#socket.close(RESTART)
  }

  drop(): void {
    this.#socket.terminate()
  }
}

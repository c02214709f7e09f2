// Converts frames of the server to live events, and types the functions that open a connection.

import {
  isCounts,
  isInboxChange,
  isObject,
  isPause,
  isWhole,
  NO_PAUSE,
  type Hello
} from '../protocol/index.ts'
import type { BaseEnvironment } from '../store/environment.ts'
import type { LiveEvent, Transport } from '../store/transport.ts'

export type Connect = Transport['connect']

/** Creates the first frame of a connection. Called for each connection, because the version and the hash change. */
export type CreateHello = () => Promise<Hello>

/** Live events without a socket, for networks that refuse WebSockets. */
export interface Fallback {
  /** Sockets that could not be opened since the last one that worked, also by earlier connections of this page. */
  readonly failed: { count: number }
  /**
   * Polls until the returned function is called.
   *
   * @param onLost - called when requests fail as well; then the polls have ended
   */
  poll(listener: (event: LiveEvent) => void, onLost: () => void): () => void
}

export interface Dial {
  readonly address: URL
  readonly createHello: CreateHello
  readonly listener: (event: LiveEvent) => void
  readonly environment: BaseEnvironment
  readonly fallback: Fallback
}

/** Returns the event, or undefined if the frame is not known: a newer server may send other frames. */
export function toLiveEvent(route: unknown, payload: unknown): LiveEvent | undefined {
  if (!isObject(payload)) return undefined
  const { counts, detail, pause, title, version } = payload
  if (route === 'inbox/preferences') return { type: 'preferences', ...(isPause(pause) && { pause }) }
  if (route === 'inbox/change' && isInboxChange(payload)) return { change: payload, type: 'change' }
  if (route === 'inbox/refused') return { detail: String(detail), title: String(title), type: 'refused' }
  if (!isWhole(version)) return undefined
  if (route === 'inbox/reset' && payload['reset'] === true) return { reset: true, type: 'reset', version }
  // A greeting without a pause says that there is none.
  if (route === 'inbox/head')
    return {
      type: 'head',
      version,
      ...(isCounts(counts) && { counts, pause: isPause(pause) ? pause : NO_PAUSE })
    }
  return undefined
}

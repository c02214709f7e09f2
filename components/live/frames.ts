// Converts frames of the server to live events, and types the functions that open a connection.

import { toServerFrame, type Hello } from '../protocol/index.ts'
import type { BaseEnvironment } from '../store/environment.ts'
import type { LiveEvent, Transport } from '../store/transport.ts'

export type Connect = Transport['connect']

/** Creates the first frame of a connection. Called for each connection, because the version and the hash change. */
export type CreateHello = () => Promise<Hello>

export interface Dial {
  readonly address: URL
  readonly createHello: CreateHello
  readonly listener: (event: LiveEvent) => void
  readonly environment: BaseEnvironment
}

/** Returns the event, or undefined if the frame is not known. */
export function toLiveEvent(route: unknown, payload: unknown): LiveEvent | undefined {
  const frame = toServerFrame(route, payload)
  if (frame?.route === 'inbox/change') return { change: frame.payload, type: 'change' }
  // The other frames have the names and fields of their events.
  return frame && ({ ...frame.payload, type: frame.route.slice('inbox/'.length) } as LiveEvent)
}

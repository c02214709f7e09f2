// Converts frames of the server to live events, and types the functions that open a connection.

import { toServerFrame, type Hello } from '../protocol/index.ts'
import type { Surroundings } from '../store/environment.ts'
import type { LiveEvent, Transport } from '../store/transport.ts'

export type Connect = Transport['connect']

/** What a socket must know to introduce itself, read anew for each connection. */
export type Introduce = () => Promise<Hello>

export interface Dial {
  readonly address: URL
  readonly introduce: Introduce
  readonly listener: (event: LiveEvent) => void
  readonly environment: Surroundings
}

/** The event, or undefined when the frame is none of ours. */
export function toLiveEvent(route: unknown, payload: unknown): LiveEvent | undefined {
  const frame = toServerFrame(route, payload)
  if (frame?.route === 'inbox/change') return { change: frame.payload, type: 'change' }
  // The others are named as their events are, and say the same.
  return frame && ({ ...frame.payload, type: frame.route.slice('inbox/'.length) } as LiveEvent)
}

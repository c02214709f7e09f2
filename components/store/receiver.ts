// What a store knows of its live connection, and what the connection asks of the store.

import type { ReadableAtom } from 'nanostores'

import type { Counts } from '../protocol/index.ts'
import type { Surroundings } from './environment.ts'
import type { LiveEvent, Transport } from './transport.ts'
import type { Connection } from './types.ts'

/** An inbox as it was at a version, without its notifications. */
export interface Head {
  readonly version: number
  readonly counts: Counts
}

export interface Receiver {
  receive(event: LiveEvent): void
  /** What it knows, read at every (re)connect. */
  version(): number | undefined
}

export interface Line {
  readonly $connection: ReadableAtom<Connection>
  /** Who else hears every event, after the receiver. */
  readonly audience: Set<(event: LiveEvent) => void>
  readonly environment: Surroundings
  readonly transport: Transport
  /** From now on this one is the receiver; a connection that is open already stays open. */
  start(receiver: Receiver): void
  /** Ends the connection, unless another one has become the receiver. */
  stop(receiver: Receiver): void
}

// Types of the live connection of a store, and of the receiver of its events.

import type { ReadableAtom } from 'nanostores'

import type { Counts } from '../protocol/index.ts'
import type { BaseEnvironment } from './environment.ts'
import type { LiveEvent, Transport } from './transport.ts'
import type { Connection } from './types.ts'

/** Counters of an inbox and the version that they belong to. */
export interface InboxCounts {
  readonly version: number
  readonly counts: Counts
}

export interface Receiver {
  receive(event: LiveEvent): void
  /** The version that the receiver knows, read at every (re)connect. */
  version(): number | undefined
}

export interface LiveConnection {
  readonly $connection: ReadableAtom<Connection>
  /** Called with every event, after the receiver. */
  readonly listeners: Set<(event: LiveEvent) => void>
  readonly environment: BaseEnvironment
  readonly transport: Transport
  /** Makes this one the receiver; a connection that is open stays open. */
  start(receiver: Receiver): void
  /** Closes the connection, unless another receiver has taken over. */
  stop(receiver: Receiver): void
}

// The live connection of one inbox: open while somebody is present, and heard by one receiver at a time.

import type { ReadableAtom } from 'nanostores'

import type { Surroundings } from '../transport/environment.ts'
import type { LiveEvent, Transport } from '../transport/transport.ts'
import { cell } from './cell.ts'
import { keepPresent } from './presence.ts'
import type { Connection, StoreConfig } from './store.ts'

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

type Options = Pick<StoreConfig, 'hiddenTimeout'> & Pick<Line, 'environment' | 'transport'>

export function openLine({ environment, hiddenTimeout = 60_000, transport }: Options): Line {
  let connection: Connection = { state: 'idle' }
  const $connection = cell(() => connection)
  const audience = new Set<(event: LiveEvent) => void>()
  let receiver: Receiver
  let leave: (() => void) | undefined

  function say(now: Connection): void {
    connection = now
    $connection.notify()
  }

  function open(): () => void {
    say({ state: 'connecting' })
    const close = transport.connect(
      event => {
        const { type, ...said } = event
        if (type === 'online' || type === 'offline' || type === 'refused') {
          say({ ...said, state: type } as Connection)
        }
        receiver.receive(event)
        for (const hear of audience) hear(event)
      },
      () => receiver.version()
    )
    return () => {
      close()
      say({ state: 'idle' })
    }
  }

  return {
    $connection,
    audience,
    environment,
    start(next) {
      receiver = next
      leave ??= keepPresent({ environment, hiddenTimeout, open })
    },
    stop(last) {
      if (last !== receiver) return
      leave?.()
      leave = undefined
    },
    transport
  }
}

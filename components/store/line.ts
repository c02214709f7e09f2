// The live connection of one inbox: open while somebody is present, and heard by one receiver at a time.

import { atom, type ReadableAtom } from 'nanostores'

import type { Surroundings } from '../transport/environment.ts'
import type { LiveEvent, Transport } from '../transport/transport.ts'
import { keepPresent } from './presence.ts'
import type { Connection, StoreConfig } from './store.ts'

export interface Receiver {
  receive(event: LiveEvent): void
  /** What it knows, read at every (re)connect. */
  version(): number | undefined
}

export interface Line {
  readonly $connection: ReadableAtom<Connection>
  readonly environment: Surroundings
  readonly transport: Transport
  /** From now on this one is the receiver; a connection that is open already stays open. */
  start(receiver: Receiver): void
  /** Ends the connection, unless another one has become the receiver. */
  stop(receiver: Receiver): void
}

type Options = Pick<StoreConfig, 'hiddenTimeout'> & Pick<Line, 'environment' | 'transport'>

export function openLine({ environment, hiddenTimeout = 60_000, transport }: Options): Line {
  const $connection = atom<Connection>({ state: 'idle' })
  let receiver: Receiver
  let leave: (() => void) | undefined

  function open(): () => void {
    $connection.set({ state: 'connecting' })
    const close = transport.connect(
      event => {
        const { type, ...said } = event
        if (type === 'online' || type === 'offline' || type === 'refused') {
          $connection.set({ ...said, state: type } as Connection)
        }
        receiver.receive(event)
      },
      () => receiver.version()
    )
    return () => {
      close()
      $connection.set({ state: 'idle' })
    }
  }

  return {
    $connection,
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

// The live connection of one inbox: open while somebody is present, and heard by one receiver at a time.

import { cell } from '../store/cell.ts'
import type { Line, Receiver } from '../store/receiver.ts'
import type { LiveEvent } from '../store/transport.ts'
import type { Connection, StoreConfig } from '../store/types.ts'
import { keepPresent } from './visibility.ts'

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

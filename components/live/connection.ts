// The live connection of one inbox: open while a listener needs it and the page is visible, with one receiver at a time.

import { atom } from 'nanostores'

import { publish } from '../store/publish.ts'
import type { LiveConnection, Receiver } from '../store/receiver.ts'
import type { LiveEvent } from '../store/transport.ts'
import type { Connection, StoreConfig } from '../store/types.ts'
import { connectWhileVisible } from './visibility.ts'

type Options = Pick<StoreConfig, 'hiddenTimeout'> & Pick<LiveConnection, 'environment' | 'transport'>

export function createConnection({
  environment,
  hiddenTimeout = 60_000,
  transport
}: Options): LiveConnection {
  const $connection = atom<Connection>({ state: 'idle' })
  const listeners = new Set<(event: LiveEvent) => void>()
  let receiver: Receiver
  let disconnect: (() => void) | undefined
  let lastReason: string | undefined

  /** Logs the server's reason for developers, also if the page shows only a bell. Users see a text of the elements instead. */
  function warnRefused(reason: string): void {
    if (reason !== lastReason) console.warn(`notif-kit: the server refused the connection: ${reason}`)
    lastReason = reason
  }

  const setConnection = (connection: Connection): void =>
    publish(() => $connection.set(Object.freeze(connection)))

  function open(): () => void {
    setConnection({ state: 'connecting' })
    const close = transport.connect(
      event => {
        const { type, ...details } = event
        if (type === 'refused') warnRefused(event.detail || event.title)
        if (type === 'online' || type === 'offline' || type === 'refused') {
          setConnection({ ...details, state: type } as Connection)
        }
        receiver.receive(event)
        for (const listener of listeners) listener(event)
      },
      () => receiver.version()
    )
    return () => {
      close()
      setConnection({ state: 'idle' })
    }
  }

  return {
    $connection,
    environment,
    listeners,
    start(next) {
      receiver = next
      disconnect ??= connectWhileVisible({ environment, hiddenTimeout, open })
    },
    stop(last) {
      if (last !== receiver) return
      disconnect?.()
      disconnect = undefined
    },
    transport
  }
}

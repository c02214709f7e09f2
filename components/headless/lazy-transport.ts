// The transport of a page, loaded when something first asks for it and the page has been painted.

import type { Connect } from '../live/frames.ts'
import type { Environment } from '../store/environment.ts'
import { fetched, lateCommands } from '../store/lazy.ts'
import type { Address, Transport } from '../store/transport.ts'

/** Wait before the code of a connection is asked for again, in milliseconds. */
const AGAIN = 5000

/** @param load - called again after it failed */
const lateConnect =
  (load: () => Promise<Connect>, environment: Environment): Connect =>
  (listener, version) => {
    let ended = false
    let end = (): void => {}
    async function begin(): Promise<void> {
      try {
        const connect = await load()
        if (!ended) end = connect(listener, version)
      } catch {
        if (ended) return
        listener({ type: 'offline' })
        end = environment.after(AGAIN, () => void begin())
      }
    }
    void begin()
    return () => {
      ended = true
      end()
    }
  }

export function lazyTransport(address: Address, environment: Environment): Transport {
  const load = fetched('connection', async (): Promise<Transport> => {
    await environment.ready()
    const { openTransport } = await import('../live/create-transport.ts')
    return openTransport(address, environment)
  })

  return {
    ...lateCommands(load),
    connect: lateConnect(async () => (await load()).connect, environment)
  }
}

// The transport of a page; its code is loaded by the first request or connection, after the first paint.

import type { Connect } from '../live/frames.ts'
import type { Environment } from '../store/environment.ts'
import { lazyCommands, lazyModule } from '../store/lazy.ts'
import { createRetry } from '../store/retry.ts'
import type { Address, Transport } from '../store/transport.ts'

/** @param load - called again after a failure */
const lazyConnect =
  (load: () => Promise<Connect>, environment: Environment): Connect =>
  (listener, version) => {
    const retry = createRetry(environment)
    let isEnded = false
    let disconnect = retry.cancel
    async function connect(): Promise<void> {
      try {
        const open = await load()
        if (!isEnded) disconnect = open(listener, version)
      } catch {
        if (isEnded) return
        listener({ type: 'offline' })
        retry.schedule(() => void connect())
      }
    }
    void connect()
    return () => {
      isEnded = true
      disconnect()
    }
  }

export function lazyTransport(address: Address, environment: Environment): Transport {
  const load = lazyModule('connection', async (): Promise<Transport> => {
    await environment.ready()
    const { openTransport } = await import('../live/create-transport.ts')
    return openTransport(address, environment)
  })
  return {
    ...lazyCommands(load),
    connect: lazyConnect(async () => (await load()).connect, environment)
  }
}

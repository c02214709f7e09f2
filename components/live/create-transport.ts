// Creates the transport of a page: commands over HTTP, events over one socket for all tabs.

import { PROTOCOL_VERSION } from '../protocol/index.ts'
import type { BaseEnvironment } from '../store/environment.ts'
import { lazyCommands, lazyModule } from '../store/lazy.ts'
import { TransportError, type Address, type Transport } from '../store/transport.ts'
import type { Connect, CreateHello, Fallback } from './frames.ts'
import { dialSocketIo } from './socket-io.ts'
import { shareConnection } from './tab-leader.ts'
import { dialWebSocket } from './websocket.ts'

export function openTransport(address: Address, environment: BaseEnvironment): Transport {
  const { apiUrl, clientId, userHash = '', userId, wsUrl } = address
  const target = new URL(wsUrl || apiUrl || '/', globalThis.location?.href)

  let hashPromise: Promise<string> | undefined
  const forgetHash = (): void => void (hashPromise = undefined)
  async function requestHash(): Promise<string> {
    try {
      return (await address.auth?.()) ?? userHash
    } catch (cause) {
      forgetHash()
      throw new TransportError(0, 'The auth function of the page failed.', { cause })
    }
  }
  const getHash = (): Promise<string> => (hashPromise ??= requestHash())

  const introduce =
    (version: () => number | undefined): CreateHello =>
    async () => {
      const known = version()
      const userHash = await getHash()
      return {
        clientId,
        protocol: PROTOCOL_VERSION,
        userHash,
        userId,
        ...(known !== undefined && { version: known })
      }
    }

  const dial = target.protocol.startsWith('ws') ? dialWebSocket : dialSocketIo
  // Loaded on demand, because a badge needs only the connection.
  const commands = lazyModule('connection', async () => {
    const { httpCommands } = await import('../transport/http.ts')
    return httpCommands({ address, environment, forgetHash, getHash })
  })

  const poll =
    (version: () => number | undefined): Fallback['poll'] =>
    (listener, onLost) => {
      const end = new AbortController()
      const { signal } = end
      const start = async (): Promise<void> => {
        const { poll } = await import('../transport/long-poll.ts')
        await poll({ commands: await commands(), environment, listener, signal, version })
      }
      start().catch(() => signal.aborted || onLost())
      return () => end.abort()
    }
  const failed = { count: 0 }
  const connect: Connect = (listener, version) =>
    dial({
      address: target,
      createHello: introduce(version),
      environment,
      fallback: { failed, poll: poll(version) },
      listener(event) {
        listener(event)
        if (event.type === 'change' && globalThis.Notification?.permission === 'granted')
          // A push that stays visible does no harm.
          import('../transport/close-pushes.ts')
            .then(({ closePushes }) => closePushes(event.change, address.serviceWorkerPath))
            .catch(() => {})
      }
    })

  return {
    ...lazyCommands(commands),
    connect: shareConnection(
      `notif:${PROTOCOL_VERSION}:${target.href}:${clientId}:${userId}`,
      connect,
      environment
    )
  }
}

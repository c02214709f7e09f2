// Puts the transport of a page together: commands over HTTP, events over one socket for all tabs.

import { PROTOCOL_VERSION } from '../protocol/index.ts'
import type { Surroundings } from '../store/environment.ts'
import { lazyCommands, lazyModule } from '../store/lazy.ts'
import { TransportError, type Address, type Transport } from '../store/transport.ts'
import type { Connect, Introduce } from './frames.ts'
import { dialSocketIo } from './socket-io.ts'
import { shareConnection } from './tab-leader.ts'
import { dialWebSocket } from './websocket.ts'

export function openTransport(address: Address, environment: Surroundings): Transport {
  const { apiUrl, clientId, userHash = '', userId, wsUrl } = address
  const target = new URL(wsUrl || apiUrl || '/', globalThis.location?.href)

  let known: Promise<string> | undefined
  const forget = (): void => void (known = undefined)
  async function ask(): Promise<string> {
    try {
      return (await address.auth?.()) ?? userHash
    } catch (cause) {
      forget()
      throw new TransportError(0, 'The auth function of the page failed.', { cause })
    }
  }
  const hash = (): Promise<string> => (known ??= ask())

  const introduce =
    (version: () => number | undefined): Introduce =>
    async () => {
      const known = version()
      const userHash = await hash()
      return {
        clientId,
        protocol: PROTOCOL_VERSION,
        userHash,
        userId,
        ...(known !== undefined && { version: known })
      }
    }

  const dial = target.protocol.startsWith('ws') ? dialWebSocket : dialSocketIo
  const connect: Connect = (listener, version) =>
    dial({ address: target, environment, introduce: introduce(version), listener })

  // Loaded on demand, because a badge needs only the connection.
  const commands = lazyModule('connection', async () => {
    const { httpCommands } = await import('../transport/http.ts')
    return httpCommands({ address, environment, forget, hash })
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

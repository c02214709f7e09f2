// The transport of a page, loaded when something first asks for it and the page has been painted.

import type { Environment } from './environment.ts'
import { lateCommands, lateConnect } from './late.ts'
import { TransportError, type Address, type Transport } from './transport.ts'

export function lazyTransport(address: Address, environment: Environment): Transport {
  let loading: Promise<Transport> | undefined

  async function fetchCode(): Promise<Transport> {
    try {
      await environment.ready()
      const { openTransport } = await import('./open.ts')
      return openTransport(address, environment)
    } catch (cause) {
      loading = undefined
      throw new TransportError(0, 'The code of the connection could not be loaded.', { cause })
    }
  }
  const load = (): Promise<Transport> => (loading ??= fetchCode())

  return {
    ...lateCommands(load),
    connect: lateConnect(async () => (await load()).connect, environment)
  }
}

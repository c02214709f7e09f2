// The transport of a page, loaded when something first asks for it and the page has been painted.

import type { Environment } from './environment.ts'
import { fetched, lateCommands, lateConnect } from './late.ts'
import type { Address, Transport } from './transport.ts'

export function lazyTransport(address: Address, environment: Environment): Transport {
  const load = fetched('connection', async (): Promise<Transport> => {
    await environment.ready()
    const { openTransport } = await import('./open.ts')
    return openTransport(address, environment)
  })

  return {
    ...lateCommands(load),
    connect: lateConnect(async () => (await load()).connect, environment)
  }
}

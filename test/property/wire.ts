// A network between one page and its node that can be cut, or frozen without a signal to either end.

import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface Wire extends AsyncDisposable {
  readonly port: number
  /** Every connection ends; new ones work. */
  cut(): void
  /** What is open now passes nothing any more and stays open; new ones work. */
  freeze(): void
  /** Like a proxy that refuses sockets: every connection ends, new ones fail until they are allowed again. */
  refuse(): void
  allow(): void
}

export async function openWire(port: number): Promise<Wire> {
  const pairs = new Set<readonly [Socket, Socket]>()
  let isRefused = false
  const server = createServer(near => {
    if (isRefused) return void near.destroy()
    const far = connect(port, '127.0.0.1')
    const pair = [near, far] as const
    pairs.add(pair)
    const end = (): void => {
      near.destroy()
      far.destroy()
      pairs.delete(pair)
    }
    for (const socket of pair) socket.on('error', end).on('close', end)
    near.pipe(far).pipe(near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = (): void => {
    for (const [near, far] of pairs) {
      near.destroy()
      far.destroy()
    }
  }
  return {
    async [Symbol.asyncDispose]() {
      cut()
      server.close()
      await once(server, 'close')
    },
    allow: () => void (isRefused = false),
    cut,
    freeze() {
      for (const [near, far] of pairs) {
        near.unpipe(far).pause()
        far.unpipe(near).pause()
      }
    },
    port: (server.address() as AddressInfo).port,
    refuse() {
      isRefused = true
      cut()
    }
  }
}

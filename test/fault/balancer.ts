// A TCP load balancer: distributes new connections in turn to nodes whose /readyz answers 200.

import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface Balancer extends AsyncDisposable {
  readonly base: string
  readonly port: number
  add(base: string): void
  remove(base: string): void
}

/** Milliseconds between two checks of a node. */
const LOOK = 50

export async function openBalancer(): Promise<Balancer> {
  const nodes = new Map<string, boolean>()
  const sockets = new Set<Socket>()
  let turn = 0

  const isReady = async (base: string): Promise<boolean> => {
    try {
      const answer = await fetch(`${base}/readyz`, { signal: AbortSignal.timeout(1_000) })
      // Reads the whole answer, so that the next check uses the same connection.
      await answer.text()
      return answer.ok
    } catch {
      return false
    }
  }
  /** Nodes with a check in progress: a slow node gets no further check until it answers. */
  const checking = new Set<string>()
  const look = async (base: string): Promise<void> => {
    checking.add(base)
    const ready = await isReady(base)
    checking.delete(base)
    if (nodes.has(base)) nodes.set(base, ready)
  }
  const looking = setInterval(() => {
    for (const base of nodes.keys()) if (!checking.has(base)) void look(base)
  }, LOOK)

  const server = createServer(near => {
    const ready = [...nodes].filter(([, yes]) => yes)
    if (ready.length === 0) return near.destroy()
    const [base] = ready[turn++ % ready.length]!
    const far = connect(Number(new URL(base).port), '127.0.0.1')
    const end = (): void => {
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', end).on('close', () => sockets.delete(socket))
    }
    // The end of a connection is forwarded after all data before it.
    near.pipe(far).pipe(near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(looking)
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
    add: base => void nodes.set(base, true),
    base: `http://127.0.0.1:${port}`,
    port,
    remove: base => void nodes.delete(base)
  }
}

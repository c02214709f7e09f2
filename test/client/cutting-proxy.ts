// A proxy on loopback that forwards requests and cuts off their responses, as a bad network does.

import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface Cutter {
  readonly url: string
  /** Number of responses that were cut off. */
  cuts(): number
  /** Replaces the plan: of each of the next responses only so many bytes arrive, one entry for each response. */
  cut(bytes: readonly number[]): void
  [Symbol.asyncDispose](): Promise<void>
}

/** @param target - address of the real server */
export async function openCutter(target: string): Promise<Cutter> {
  const { hostname, port } = new URL(target)
  const plan: number[] = []
  const sockets = new Set<Socket>()
  let cuts = 0
  const server = createServer(client => {
    const upstream = connect(Number(port), hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    }
    client.pipe(upstream)
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
    upstream.on('data', (chunk: Buffer) => {
      const kept = plan.shift()
      if (kept === undefined) client.write(chunk)
      else {
        cuts += 1
        // The server has applied the request, because it has answered.
        if (kept === 0) client.destroy()
        else client.write(chunk.subarray(0, kept), () => client.destroy())
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
    // Replaces the old entries: a response shorter than its entry arrives whole, and entries that stay would add up until
    // a client gives up.
    cut: bytes => void plan.splice(0, plan.length, ...bytes),
    cuts: () => cuts,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
}

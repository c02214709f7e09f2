// A proxy on loopback that lets requests through and cuts their answers, as bad networks do.

import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface Cutter {
  readonly url: string
  /** How many answers were cut. */
  cuts(): number
  /** From now on, instead of what was planned: of the next answers only so many bytes arrive, one entry each; 0: none. */
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
        // The server has answered: it has done what it was asked.
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
    // An answer shorter than its cut arrives, and what was left of its plan would add up until a client gives up.
    cut: bytes => void plan.splice(0, plan.length, ...bytes),
    cuts: () => cuts,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
}

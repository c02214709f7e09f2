// A TLS proxy before a plain server, for clients that require TLS.

import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { createServer } from 'node:tls'

import { selfSigned } from './certificate.ts'

export interface Tls {
  /** Host and port, without scheme, as these clients want it. */
  readonly host: string
  [Symbol.asyncDispose](): Promise<void>
}

/** @param target - address of the plain server */
export async function openTls(target: string): Promise<Tls> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  const server = createServer(selfSigned(), client => {
    const upstream = connect(Number(port), hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    }
    client.pipe(upstream).pipe(client)
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
  })
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`
  }
}

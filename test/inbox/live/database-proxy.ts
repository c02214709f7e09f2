// A proxy between a node and its database that can hold, freeze and cut connections.

import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface DatabaseProxy {
  /** Address of the database through this proxy. */
  readonly url: string
  /** New connections wait for `release`. */
  hold(): void
  /** Open connections stay open but transfer nothing; new ones wait. */
  freeze(): void
  release(): void
  /** Cuts the next connection that sends this text, when the answer to it arrives. */
  loseAnswer(text: string): void
  /** Connections so far. */
  connectionCount(): number
  [Symbol.asyncDispose](): Promise<void>
}

function connectTo(url: string): Socket {
  const folder = /@(%2f[^:/?]*)/i.exec(url)?.[1]
  const { hostname, port } = new URL(url.replace(/@%2f[^:/?]*/i, '@localhost'))
  const number = port === '' ? 5432 : Number(port)
  return folder ? connect(`${decodeURIComponent(folder)}/.s.PGSQL.${number}`) : connect(number, hostname)
}

export async function openDatabaseProxy(url: string): Promise<DatabaseProxy> {
  const sockets = new Set<Socket>()
  const pairs: [Socket, Socket][] = []
  let gate = Promise.withResolvers<void>()
  gate.resolve()
  let count = 0
  let lostText: string | undefined
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => {})
  }
  const join = async (near: Socket): Promise<void> => {
    count += 1
    keep(near)
    await gate.promise
    const far = connectTo(url)
    keep(far)
    pairs.push([near, far])
    near.pipe(far)
    far.pipe(near)
    near.on('data', (chunk: Buffer) => {
      if (lostText === undefined || !chunk.includes(lostText)) return
      lostText = undefined
      far.unpipe(near)
      far.once('data', () => near.destroy())
    })
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  }
  const server = createServer(near => void join(near))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const address = new URL(url.replace(/@[^/?]*/, `@127.0.0.1:${port}`))
  const hold = (): void => {
    gate = Promise.withResolvers<void>()
  }
  return {
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
    connectionCount: () => count,
    freeze() {
      hold()
      for (const [near, far] of pairs) {
        near.unpipe(far).pause()
        far.unpipe(near).pause()
      }
    },
    hold,
    loseAnswer(text) {
      lostText = text
    },
    release: () => gate.resolve(),
    url: address.href
  }
}

// A proxy before a database whose network can stop, or drop connections without a signal to either end.

import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** @param url - of a database on TCP */
export async function openDatabaseProxy(url: string) {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  const stranded = new Set<Socket>()
  let still = false
  let lastWord: string | undefined
  let ended = false
  const server = createServer(near => {
    if (ended) return void near.destroy()
    const far = connect(Number(port || 5432), hostname)
    for (const socket of [near, far]) {
      sockets.add(socket)
      if (still) socket.pause()
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.on('data', (chunk: Buffer) => {
      far.write(chunk)
      if (lastWord !== undefined && chunk.includes(lastWord)) {
        lastWord = undefined
        for (const socket of [near, far]) {
          socket.pause()
          stranded.add(socket)
        }
      }
    })
    far.on('data', chunk => near.write(chunk))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = new URL(url)
  address.hostname = '127.0.0.1'
  address.port = String((server.address() as AddressInfo).port)
  return {
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
    /** Closes every connection, also new ones, until it is resumed. */
    cut() {
      ended = true
      for (const socket of sockets) socket.destroy()
    },
    /** From now on nothing passes on the connections that are open: neither a word nor an end. New ones are fine. */
    strand() {
      // TCP has given up the connections of the last time by now.
      for (const socket of stranded) socket.destroy()
      stranded.clear()
      for (const socket of sockets) {
        socket.pause()
        stranded.add(socket)
      }
    },
    /** Drops the next connection that sends this text, before the answer passes. */
    strandAfter(text: string) {
      lastWord = text
    },
    go() {
      ended = false
      still = false
      for (const socket of sockets) if (!stranded.has(socket)) socket.resume()
    },
    stop() {
      still = true
      for (const socket of sockets) socket.pause()
    },
    url: address.href
  }
}

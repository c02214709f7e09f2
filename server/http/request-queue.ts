// The request queue of a connection: starts a pipelined request when the answer before it has left.
//
// Node starts all requests that have arrived, so one packet could start two thousand.

import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Requests of one connection that may wait. Browsers do not pipeline, and clients that do send a few; more close the connection. */
export const MAX_PIPELINED_REQUESTS = 32

/** Calls the listener for one request of a connection at a time, and reads no further while others wait. */
export function queueRequests(server: Server, listener: RequestListener): void {
  /** The waiting requests of each connection with a request in progress. */
  const queues = new WeakMap<Socket, (() => void)[]>()

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const start = (): void => {
      response.once('close', startNext)
      listener(request, response)
    }
    const startNext = (): void => {
      const next = queues.get(socket)!.shift()
      if (!next) queues.delete(socket)
      // The client may have left, or the answer may have closed the connection.
      else if (socket.writable) {
        if (queues.get(socket)!.length === 0) socket.resume()
        next()
      }
    }
    const queue = queues.get(socket)
    if (!queue) {
      queues.set(socket, [])
      start()
    } else if (queue.length < MAX_PIPELINED_REQUESTS) {
      socket.pause()
      queue.push(start)
    } else {
      socket.destroy()
    }
  })
}

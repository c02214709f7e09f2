// The request queue of a connection: starts a pipelined request when the answer before it has left, and reads no further
// meanwhile.
//
// Node parses everything that has arrived and starts all requests in it, so one packet could start two thousand. Here the bytes
// stay in the socket, and TCP makes the client wait.

import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Bytes of requests that are parsed at once, beside a body of known length. They limit how many requests wait in memory. */
const PARSE_BYTES = 512

interface WaitingRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

class RequestQueue {
  readonly #socket: Socket
  readonly #listener: RequestListener
  /** Node's own listener, which parses bytes and emits the requests in them. */
  readonly #parse: (bytes: Buffer) => void
  #waiting: WaitingRequest[] = []
  #isAnswering = false
  #isReleased = false
  /** The request that was parsed last. Its body may still be arriving. */
  #last: IncomingMessage | undefined
  /** Bytes of its body that are still to be parsed, at most; 0 if the request does not tell the length. */
  #bodyBytes = 0

  constructor(socket: Socket, listener: RequestListener) {
    this.#socket = socket
    this.#listener = listener
    this.#parse = socket.listeners('data')[0] as (bytes: Buffer) => void
    socket.off('data', this.#parse)
    socket.on('data', this.#read)
    socket.once('close', () => (this.#waiting = []))
  }

  add(request: IncomingMessage, response: ServerResponse): void {
    this.#last = request
    this.#bodyBytes = Number(request.headers['content-length'] ?? 0)
    if (this.#isAnswering) this.#waiting.push({ request, response })
    else this.#start({ request, response })
  }

  /** Leaves all further bytes to another protocol. */
  release(): void {
    this.#isReleased = true
    this.#socket.off('data', this.#read)
  }

  #start({ request, response }: WaitingRequest): void {
    this.#isAnswering = true
    response.once('close', this.#startNext)
    this.#listener(request, response)
  }

  readonly #startNext = (): void => {
    this.#isAnswering = false
    // The answer may have closed the connection.
    if (!this.#socket.writable) return
    const next = this.#waiting.shift()
    if (next) this.#start(next)
    if (this.#mayRead()) this.#socket.resume()
  }

  readonly #read = (bytes: Buffer): void => {
    const count = this.#mayRead() ? PARSE_BYTES + this.#bodyBytes : 0
    this.#bodyBytes = Math.max(0, this.#bodyBytes - Math.min(count, bytes.length))
    if (bytes.length <= count) return this.#parse(bytes)
    this.#socket.pause()
    // Before the parser runs: after an upgrade, bytes go in front of these.
    this.#socket.unshift(bytes.subarray(count))
    if (count === 0) return
    this.#parse(bytes.subarray(0, count))
    if (!this.#isReleased && this.#mayRead()) this.#socket.resume()
  }

  /** A body is read until its request has buffered enough; Node resumes the socket when the request needs more. */
  #mayRead(): boolean {
    const last = this.#last
    if (last && !last.complete) return last.readableLength < last.readableHighWaterMark
    return !this.#isAnswering
  }
}

/** Calls the listener for one request of a connection at a time. */
export function queueRequests(server: Server, listener: RequestListener): void {
  const queues = new WeakMap<Socket, RequestQueue>()
  server.on('connection', (socket: Socket) => queues.set(socket, new RequestQueue(socket, listener)))
  server.on('request', (request, response) => queues.get(request.socket)!.add(request, response))
  server.on('upgrade', (_request, socket) => queues.get(socket as Socket)!.release())
}

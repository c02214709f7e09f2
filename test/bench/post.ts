// Requests over raw keep-alive sockets, one in flight on each: Node's own client costs more than what we measure.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface Target {
  readonly port: number
  readonly path: string
  readonly authorization: string
}

export const requestOf = ({ authorization, path }: Target, body: string): Buffer =>
  Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${authorization}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  )

/** Length of the first whole answer in the buffer, or 0. */
export function answerLength(bytes: Buffer): number {
  const head = bytes.indexOf('\r\n\r\n')
  if (head === -1) return 0
  const length = /content-length: (\d+)/i.exec(bytes.toString('latin1', 0, head))
  const whole = head + 4 + Number(length?.[1] ?? 0)
  return bytes.length >= whole ? whole : 0
}

/** Whether its status is 2xx. */
export const isAccepted = (answer: Buffer): boolean => answer[9] === 0x32

export interface Poster {
  /** Sends it on the first free connection. */
  post(body: string): void
  readonly refused: number
  close(): void
}

export async function openPoster(target: Target, connections: number): Promise<Poster> {
  const free: Socket[] = []
  const waiting: Buffer[] = []
  let refused = 0
  const sockets = await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect(target.port, '127.0.0.1').setNoDelay(true)
      await once(socket, 'connect')
      // Used once, as the lines of a back-end that runs: a server takes new ones only when it comes to them.
      socket.write('GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
      await once(socket, 'data')
      let pending: Buffer = Buffer.alloc(0)
      socket.on('data', (chunk: Buffer) => {
        pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
        const length = answerLength(pending)
        if (length === 0) return
        if (!isAccepted(pending)) refused += 1
        pending = pending.subarray(length)
        const next = waiting.shift()
        if (next) socket.write(next)
        else free.push(socket)
      })
      return socket
    })
  )
  free.push(...sockets)
  return {
    close: () => sockets.forEach(socket => socket.destroy()),
    post(body) {
      const request = requestOf(target, body)
      const socket = free.pop()
      if (socket) socket.write(request)
      else waiting.push(request)
    },
    get refused() {
      return refused
    }
  }
}

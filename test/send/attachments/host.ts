// A server of files that does what the path says: `/bytes/N`, `/status/N`, `/flaky`, `/drip/N` (N parts of 64 KiB).

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export interface FileHost extends AsyncDisposable {
  readonly url: string
  readonly requests: string[]
  /** Ends: every address answers 410, as a signed one does after its minutes. */
  over: boolean
  /** Bytes that left so far, over all connections. */
  written(): number
}

/** The same bytes for the same length. */
export function bytesOf(length: number): Buffer {
  const content = Buffer.alloc(length)
  for (let i = 0; i < length; i++) content[i] = (i * 31 + (i >> 8) * 7 + (i >> 16)) & 255
  return content
}

export const digestOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex')

export async function fileHost(): Promise<FileHost> {
  const requests: string[] = []
  const host = { requests, over: false }
  const sockets: Socket[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    requests.push(path)
    const [, what, number = '0'] = path.split(/[/?]/)
    if (host.over) response.writeHead(410).end()
    else if (what === 'bytes')
      response.setHeader('content-type', 'application/pdf').end(bytesOf(Number(number)))
    else if (what === 'status') response.writeHead(Number(number)).end('no')
    else if (what === 'flaky' && requests.filter(one => one === path).length === 1)
      response.writeHead(503).end()
    else if (what === 'flaky') response.end('at last')
    else if (what === 'drip') {
      const piece = bytesOf(64 * 1024)
      let left = Number(number)
      const more = (): void => {
        while (left > 0 && response.write(piece)) left -= 1
        if (left > 0) left -= 1
        if (left <= 0) response.end()
        else response.once('drain', more)
      }
      more()
    } else response.writeHead(404).end()
  })
  server.on('connection', socket => sockets.push(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return Object.assign(host, {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
    written: () =>
      sockets.reduce((sum, { bytesWritten, writableLength }) => sum + bytesWritten - writableLength, 0),
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
}

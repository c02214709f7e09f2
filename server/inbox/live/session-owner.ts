// Polling sessions of Socket.IO among several processes: a session lives in one of them, and its next request may reach another,
// which passes it on.

import { randomBytes } from 'node:crypto'
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse
} from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Address of the client, in a request that a sibling passes on. Only siblings can connect to the socket that believes it. */
const CLIENT_HEADER = 'x-notif-client'
const SESSION_BYTES = 15

export interface SessionOwner {
  /** Id of a new session: it names the process. */
  createId(): string
  close(): void
}

/** Passes requests of other processes' sessions on, and serves those that they pass on. Call it after all listeners of the server. */
export function shareSessions(
  server: Server,
  path: string,
  { folder, number }: { readonly folder: string; readonly number: number }
): SessionOwner {
  const socketOf = (owner: number): string => `${folder}/${owner}.http.sock`
  const ownerOf = ({ url = '' }: IncomingMessage): number | undefined => {
    const [, query] = url.split('?')
    if (query === undefined || !`${url.split('?')[0]}/`.startsWith(path)) return undefined
    const [owner] = (new URLSearchParams(query).get('sid') ?? '').split('~')
    return /^\d+$/.test(owner!) && Number(owner) !== number ? Number(owner) : undefined
  }

  const onRequest = server.listeners('request')
  const onUpgrade = server.listeners('upgrade')
  server.removeAllListeners('request').removeAllListeners('upgrade')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const owner = ownerOf(request)
    if (owner === undefined) for (const listener of onRequest) listener.call(server, request, response)
    else void passOn(request, response, socketOf(owner))
  })
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const owner = ownerOf(request)
    if (owner === undefined) for (const listener of onUpgrade) listener.call(server, request, socket, head)
    else passUpgradeOn(request, socket, head, socketOf(owner))
  })

  const inner = createServer()
  inner.on('request', (request: IncomingMessage, response: ServerResponse) => {
    readClient(request)
    server.emit('request', request, response)
  })
  inner.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    readClient(request)
    server.emit('upgrade', request, socket, head)
  })
  inner.listen(socketOf(number))
  return {
    close() {
      inner.close()
      inner.closeAllConnections()
    },
    createId: () => `${number}~${randomBytes(SESSION_BYTES).toString('base64url')}`
  }
}

/** Gives the request the address of its client, as if it had come to this process. */
function readClient(request: IncomingMessage): void {
  const address = String(request.headers[CLIENT_HEADER] ?? '')
  Object.defineProperty(request.socket, 'remoteAddress', { configurable: true, value: address })
}

async function passOn(request: IncomingMessage, response: ServerResponse, socketPath: string): Promise<void> {
  const { headers, method, url } = request
  const passed = httpRequest({
    headers: { ...headers, [CLIENT_HEADER]: request.socket.remoteAddress ?? '' },
    method,
    path: url,
    socketPath
  })
  passed.on('response', answer => {
    response.writeHead(answer.statusCode!, answer.headers)
    pipeline(answer, response).catch(() => response.destroy())
  })
  await pipeline(request, passed).catch(() => {
    // The process has ended, and the session with it: the client begins a new one.
    if (response.headersSent) response.destroy()
    else
      response
        .writeHead(400, { 'content-type': 'application/json' })
        .end('{"code":1,"message":"Session ID unknown"}')
  })
}

function passUpgradeOn(request: IncomingMessage, socket: Duplex, head: Buffer, socketPath: string): void {
  const { method, rawHeaders, url } = request
  const lines = [`${method} ${url} HTTP/1.1`]
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]!.toLowerCase() !== CLIENT_HEADER) lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`)
  }
  lines.push(`${CLIENT_HEADER}: ${request.socket.remoteAddress ?? ''}`, '', '')
  const passed = connect(socketPath, () => {
    passed.write(lines.join('\r\n'), 'latin1')
    passed.write(head)
    socket.pipe(passed).pipe(socket)
  })
  for (const [one, other] of [
    [socket, passed],
    [passed, socket]
  ] as const) {
    one.on('error', () => {})
    one.on('close', () => other.destroy())
  }
}

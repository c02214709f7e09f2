// A peer on loopback that answers as a test says, and remembers what it was asked.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
  /** Milliseconds since 1970. */
  readonly at: number
}

export type Reply = (response: ServerResponse, asked: Asked) => void

export interface Peer {
  readonly url: string
  readonly asked: readonly Asked[]
  [Symbol.asyncDispose](): Promise<void>
}

/** @param replies - one for each request; the last one for all that follow */
export async function openPeer(...replies: readonly Reply[]): Promise<Peer> {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const one = {
      at: Date.now(),
      body: Buffer.concat(chunks).toString(),
      headers: request.headers,
      method: request.method!,
      url: request.url!
    }
    asked.push(one)
    replies[Math.min(asked.length, replies.length) - 1]!(response, one)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
    asked,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
}

export const json =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Reply =>
  response =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body))

export const text =
  (status: number, body: string, headers: Readonly<Record<string, string>> = {}): Reply =>
  response =>
    void response.writeHead(status, headers).end(body)

/** Never answers. */
export const silence: Reply = () => {}

/** Closes the connection without a word. */
export const hangUp: Reply = response => void response.destroy()

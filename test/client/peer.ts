// A fake server on loopback that answers as a test says and records its requests.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface RecordedRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
  /** Milliseconds since 1970. */
  readonly at: number
}

export type Reply = (response: ServerResponse, request: RecordedRequest) => void

export interface Peer {
  readonly url: string
  readonly requests: readonly RecordedRequest[]
  [Symbol.asyncDispose](): Promise<void>
}

/** @param replies - one for each request; the last one also answers all later requests */
export async function openPeer(...replies: readonly Reply[]): Promise<Peer> {
  const requests: RecordedRequest[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const recorded = {
      at: Date.now(),
      body: Buffer.concat(chunks).toString(),
      headers: request.headers,
      method: request.method!,
      url: request.url!
    }
    requests.push(recorded)
    replies[Math.min(requests.length, replies.length) - 1]!(response, recorded)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
    requests,
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

/** Does not answer. */
export const silence: Reply = () => {}

/** Closes the connection without an answer. */
export const hangUp: Reply = response => void response.destroy()

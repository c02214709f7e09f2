// A back end on loopback that receives webhooks and checks their signatures.

import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  readonly id: string
  /** Whether the signature is that of the secret; there may be several. */
  readonly isSigned: boolean
  readonly body: { readonly type: string; readonly data: Readonly<Record<string, unknown>> }
}

export type WebhookAnswer = readonly [status: number, body?: object]

export interface WebhookPeer extends AsyncDisposable {
  readonly url: string
  readonly port: number
  readonly received: Received[]
  /** Answers of the next requests; undefined: none, the connection stays open. The last one repeats. */
  answers: (WebhookAnswer | Promise<WebhookAnswer> | undefined)[]
  /** Resolves when so many requests have arrived. */
  waitFor(count: number): Promise<void>
}

/** @param secret - `whsec_…`, computed apart from the server's code */
export async function openWebhookPeer(secret: string): Promise<WebhookPeer> {
  const received: Received[] = []
  const waiting: { readonly count: number; readonly resolve: () => void }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    const { 'webhook-id': id, 'webhook-signature': signature, 'webhook-timestamp': seconds } = request.headers
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    const expected = `v1,${createHmac('sha256', key)
      .update(`${String(id)}.${String(seconds)}.${body}`)
      .digest('base64')}`
    received.push({
      body: JSON.parse(body) as Received['body'],
      id: String(id),
      isSigned: String(signature).split(' ').includes(expected)
    })
    for (const { count, resolve } of waiting) if (received.length >= count) resolve()
    const answer = await (peer.answers.length > 1 ? peer.answers.shift() : peer.answers[0])
    if (answer) {
      response
        .writeHead(answer[0], { 'content-type': 'application/json' })
        .end(JSON.stringify(answer[1] ?? {}))
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const peer: WebhookPeer = {
    answers: [[200]],
    port,
    received,
    url: `http://127.0.0.1:${port}/hooks`,
    async waitFor(count) {
      if (received.length >= count) return
      await new Promise<void>(resolve => waiting.push({ count, resolve }))
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    }
  }
  return peer
}

// A fake push service of a browser: speaks TLS, checks VAPID and limits, and decrypts with the keys of the browser.

import { createECDH, createPublicKey, randomBytes, verify } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'

import { TLS, trustPeers } from '../../support/tls.ts'
import { decryptPush } from './decrypt.ts'

export interface Pushed {
  /** Path of the subscription. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

export interface PushService extends AsyncDisposable {
  readonly received: readonly Pushed[]
  /** TLS handshakes so far. */
  readonly connections: number
  /** Creates a subscription of its browser. */
  subscription(path: string): { endpoint: string; keys: { p256dh: string; auth: string } }
  /** Status by path instead of 201, with headers; `hang` never answers, `cut` closes the connection. */
  readonly answers: Map<string, number | 'hang' | 'cut' | readonly [number, Readonly<Record<string, string>>]>
  /** Called for each message before it is answered. */
  onMessage: ((text: string) => Promise<void>) | undefined
}

interface Claims {
  readonly aud: string
  readonly exp: number
  readonly sub: string
}

/** Why the service rejects the sender, or undefined. */
function objection(authorization: string | undefined, origin: string): string | undefined {
  const [, head, claims, signature, point] =
    /^vapid t=([^.]+)\.([^.]+)\.([^,]+), k=(.+)$/.exec(authorization ?? '') ?? []
  if (!head || !claims || !signature || !point) return 'no VAPID'
  const bytes = Buffer.from(point, 'base64url')
  const key = createPublicKey({
    format: 'jwk',
    key: {
      crv: 'P-256',
      kty: 'EC',
      x: bytes.subarray(1, 33).toString('base64url'),
      y: bytes.subarray(33).toString('base64url')
    }
  })
  const signed = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { dsaEncoding: 'ieee-p1363', key },
    Buffer.from(signature, 'base64url')
  )
  if (!signed) return 'wrong signature'
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Claims
  const now = Date.now() / 1000
  if (aud !== origin) return `made for ${aud}`
  if (exp < now || exp > now + 86_400) return 'outlived, or longer than a day'
  return /^(?:mailto:.+@|https:)/.test(sub) ? undefined : 'no contact'
}

export async function pushService(): Promise<PushService> {
  trustPeers()
  const browser = createECDH('prime256v1')
  browser.generateKeys()
  const auth = randomBytes(16).toString('base64url')
  const received: Pushed[] = []
  const service: { -readonly [K in keyof PushService]: PushService[K] } = {
    answers: new Map(),
    connections: 0,
    onMessage: undefined,
    received,
    subscription: path => ({
      endpoint: `${base}${path}`,
      keys: { auth, p256dh: browser.getPublicKey('base64url') }
    }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    }
  }
  const server = createServer(TLS, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const body = Buffer.concat(chunks)
      const { headers, url = '' } = request
      const answer = service.answers.get(url)
      if (answer === 'hang') return
      if (answer === 'cut') return request.socket.destroy()
      if (answer !== undefined) {
        const [status, more] = typeof answer === 'number' ? [answer, {}] : answer
        return response.writeHead(status, more).end('as told')
      }
      const objectionText = objection(headers.authorization, base)
      if (objectionText) return response.writeHead(403).end(objectionText)
      if (!/^\d+$/.test(headers.ttl as string)) return response.writeHead(400).end('no TTL')
      if (!/^[\w-]{1,32}$/.test(headers.topic as string)) return response.writeHead(400).end('wrong topic')
      if (headers['content-encoding'] !== 'aes128gcm') return response.writeHead(415).end()
      if (body.length > 4096) return response.writeHead(413).end()
      const text = decryptPush(body, browser, auth)
      received.push({ headers, path: url, text })
      await service.onMessage?.(text)
      response.writeHead(201, { location: `${base}/m/${received.length}` }).end()
    })
  })
  server.on('secureConnection', () => (service.connections += 1))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base = `https://localhost:${(server.address() as AddressInfo).port}`
  return service
}

// A fake gateway for SMS and calls, a fake Firebase, and a fake push service of browsers, with fault modes.

import { createECDH, generateKeyPairSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecure } from 'node:https'
import type { AddressInfo } from 'node:net'
import { TLSSocket } from 'node:tls'

import { decryptPush } from '../channels/push/decrypt.ts'
import { TLS } from '../support/tls.ts'
import type { Queue, Ledger } from './ledger.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

/** What a message contains about itself. */
interface Heard {
  readonly queue: Queue
  readonly key: string
  readonly node: number
}

/** The body of a request to the gateway or Firebase. */
type Body =
  | { readonly type: 'sms.send' | 'call.send'; readonly data: { readonly text: string } }
  | { readonly type?: undefined; readonly message: { readonly notification: { readonly title: string } } }

function heardIn(url: string, raw: Buffer): Heard {
  const node = Number(/^\/node(\d+)\//.exec(url)?.[1])
  const body = JSON.parse(raw.toString()) as Body
  return body.type === undefined
    ? { key: body.message.notification.title, queue: 'FCM', node }
    : { key: body.data.text, queue: body.type === 'sms.send' ? 'SMS' : 'CALL', node }
}

const accountFor = (tokenUri: string): string =>
  JSON.stringify({
    client_email: 'faults@example.com',
    private_key: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
      format: 'pem',
      type: 'pkcs8'
    }),
    project_id: 'faults',
    token_uri: tokenUri
  })

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const answer = (response: ServerResponse, status: number, ref = '', headers = {}): void =>
  void response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify({ id: ref, name: ref }))

/** Answers by the fault mode. */
const behave = ({ hear }: Ledger, { queue, key, node }: Heard, response: ServerResponse): void =>
  hear(queue, key, node, {
    broken: () => answer(response, 503),
    busy: () => answer(response, 429, '', { 'retry-after': '1' }),
    reset() {
      const { socket } = response
      // An encrypted connection can only be closed.
      if (socket instanceof TLSSocket) socket.destroy()
      else socket?.resetAndDestroy()
    },
    // Push services of browsers identify the message by its location.
    yes: ref => answer(response, 200, ref, { location: ref })
  })

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
}

/** @returns the settings of a node, whose addresses contain the number of the node */
export async function openGateway(ledger: Ledger) {
  const server = createServer(async (request, response) => {
    // A request of a node that died in the middle is ignored.
    const raw = await bodyOf(request).catch(() => undefined)
    if (!raw) return
    const { url = '' } = request
    if (url !== '/token') return behave(ledger, heardIn(url, raw), response)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end('{"access_token":"one","expires_in":3600}')
  })
  const base = `http://127.0.0.1:${await listening(server)}`
  const account = accountFor(`${base}/token`)
  return {
    [Symbol.asyncDispose]: () => closed(server),
    envOf: (node: number) => ({
      NOTIF_FCM_SERVICE_ACCOUNT: account,
      NOTIF_FCM_URL: `${base}/node${node}`,
      NOTIF_SMS_FROM: '+12025550100',
      NOTIF_SMS_WEBHOOK_SECRET: SECRET,
      NOTIF_SMS_WEBHOOK_URL: `${base}/node${node}/`
    })
  }
}

/** Number of the node, from the contact in its key. */
function contactIn(authorization = ''): number {
  const [, claims = ''] = /^vapid t=[^.]+\.([^.]+)\./.exec(authorization) ?? []
  const { sub } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sub: string }
  return Number(/^mailto:node(\d+)@/.exec(sub)?.[1])
}

/** @returns the settings of a node, and the subscription of a browser */
export async function openPushService(ledger: Ledger) {
  const browser = createECDH('prime256v1')
  browser.generateKeys()
  const auth = randomBytes(16).toString('base64url')
  const server = createSecure(TLS, async (request, response) => {
    const raw = await bodyOf(request).catch(() => undefined)
    if (!raw) return
    const text = decryptPush(raw, browser, auth)
    const { title } = JSON.parse(text) as { title: string }
    const node = contactIn(request.headers.authorization)
    behave(ledger, { key: title, queue: 'WEB_PUSH', node }, response)
  })
  server.on('tlsClientError', () => {})
  const base = `https://localhost:${await listening(server)}`
  return {
    [Symbol.asyncDispose]: () => closed(server),
    envOf: (node: number) => ({
      NOTIF_VAPID_SUBJECT: `mailto:node${node}@example.com`,
      NOTIF_WEB_PUSH: '1',
      NOTIF_WEB_PUSH_HOSTS: 'localhost'
    }),
    subscription: (user: number) => ({
      endpoint: `${base}/user${user}`,
      keys: { auth, p256dh: browser.getPublicKey('base64url') }
    })
  }
}

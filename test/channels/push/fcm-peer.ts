// A fake Firebase: Google's token endpoint and messages:send, with errors in Google's format.
//
// The beginning of a device token chooses the answer, so one peer serves a whole table of faults.

import { generateKeyPairSync, randomUUID, verify } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { serviceAccount, type ServiceAccount } from '../../../server/config/push.ts'

export interface FcmReceived {
  readonly token: string
  readonly notification: { readonly title: string; readonly body: string }
  readonly data: Readonly<Record<string, string>>
  readonly android: Readonly<Record<string, unknown>>
}

export interface FcmPeer extends AsyncDisposable {
  readonly url: string
  readonly account: ServiceAccount
  readonly received: FcmReceived[]
  /** How many tokens were issued. */
  grants: number
  /** Lifetime of a token in seconds. */
  life: number
  /** Rejects all tokens that were issued before. */
  revoked: boolean
  /** Refuses to issue tokens, with this status and answer. */
  denied: readonly [number, string] | undefined
  /** Refuses every message with this status and code. */
  down: readonly [number, string] | undefined
}

interface Told {
  readonly status: number
  readonly code: string
  readonly errorCode?: string
  readonly field?: string
  readonly message?: string
  readonly headers?: Readonly<Record<string, string>>
}

const ANSWERS: Readonly<Record<string, Told>> = {
  apple: { code: 'UNAUTHENTICATED', errorCode: 'THIRD_PARTY_AUTH_ERROR', status: 401 },
  argument: {
    code: 'INVALID_ARGUMENT',
    errorCode: 'INVALID_ARGUMENT',
    field: 'message.android.ttl',
    status: 400
  },
  barred: { code: 'UNAUTHENTICATED', status: 401 },
  bug: { code: 'INTERNAL', errorCode: 'INTERNAL', status: 500 },
  busy: { code: 'UNAVAILABLE', errorCode: 'UNAVAILABLE', headers: { 'retry-after': '9' }, status: 503 },
  denied: { code: 'PERMISSION_DENIED', status: 403 },
  gone: { code: 'NOT_FOUND', errorCode: 'UNREGISTERED', status: 404 },
  nonsense: {
    code: 'INVALID_ARGUMENT',
    errorCode: 'INVALID_ARGUMENT',
    message: 'The registration token is not a valid FCM registration token',
    status: 400
  },
  other: { code: 'PERMISSION_DENIED', errorCode: 'SENDER_ID_MISMATCH', status: 403 },
  project: { code: 'NOT_FOUND', status: 404 },
  quota: {
    code: 'RESOURCE_EXHAUSTED',
    errorCode: 'QUOTA_EXCEEDED',
    headers: { 'retry-after': '60' },
    status: 429
  },
  wrong: { code: 'INVALID_ARGUMENT', errorCode: 'INVALID_ARGUMENT', field: 'message.token', status: 400 }
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  return body
}

const json = (response: ServerResponse, status: number, body: unknown, headers = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

const buildError = ({ code, errorCode, field, message, status }: Told) => ({
  error: {
    code: status,
    details: [
      ...(errorCode ? [{ '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode }] : []),
      ...(field
        ? [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: [{ field }] }]
        : [])
    ],
    message: message ?? `It was ${code}.`,
    status: code
  }
})

export async function fcmPeer(): Promise<FcmPeer> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const valid = new Set<string>()

  const isSigned = (assertion: string): boolean => {
    const [head = '', claims = '', signature = ''] = assertion.split('.')
    const { aud, exp, iat, iss, scope } = JSON.parse(Buffer.from(claims, 'base64url').toString())
    return (
      verify('sha256', Buffer.from(`${head}.${claims}`), publicKey, Buffer.from(signature, 'base64url')) &&
      aud === peer.account.token_uri &&
      iss === peer.account.client_email &&
      scope === 'https://www.googleapis.com/auth/firebase.messaging' &&
      exp - iat <= 3600
    )
  }

  const grant = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const form = new URLSearchParams(await readBody(request))
    if (peer.denied) return json(response, peer.denied[0], { error: peer.denied[1] })
    const good = form.get('grant_type') === 'urn:ietf:params:oauth:grant-type:jwt-bearer'
    if (!good || !isSigned(form.get('assertion') ?? ''))
      return json(response, 400, { error: 'invalid_grant' })
    peer.grants += 1
    const token = `ya29.${randomUUID()}`
    valid.add(token)
    json(response, 200, { access_token: token, expires_in: peer.life, token_type: 'Bearer' })
  }

  const send = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request)
    if (peer.revoked) {
      valid.clear()
      peer.revoked = false
    }
    const bearer = request.headers.authorization?.replace('Bearer ', '') ?? ''
    if (!valid.has(bearer)) return json(response, 401, buildError({ code: 'UNAUTHENTICATED', status: 401 }))
    if (peer.down)
      return json(response, peer.down[0], buildError({ code: peer.down[1], status: peer.down[0] }))
    const { message } = JSON.parse(body) as { message: FcmReceived }
    const [word = ''] = message.token.split('-')
    if (word === 'hang') return
    if (word === 'cut') return void request.socket.destroy()
    if (word === 'holes') {
      const details = [null, 5, { fieldViolations: 'x' }, { fieldViolations: [null] }]
      return json(response, 400, { error: { details, message: 'No.', status: 'INVALID_ARGUMENT' } })
    }
    if (word === 'moved') return void response.writeHead(302, { location: '/elsewhere' }).end()
    if (word === 'mute') return void response.writeHead(204).end()
    if (word === 'filtered') return void response.writeHead(403).end('<html>')
    if (word === 'nobody') return void response.writeHead(404).end('<html>')
    if (word === 'html') return void response.writeHead(200).end('<html>')
    if (word === 'large') return void response.writeHead(200).end('x'.repeat(200_000))
    const answer = ANSWERS[word]
    if (answer) return json(response, answer.status, buildError(answer), answer.headers)
    const texts = Object.values(message.data).every(value => typeof value === 'string')
    const size = Buffer.byteLength(JSON.stringify({ data: message.data, notification: message.notification }))
    if (!texts || size > 4096)
      return json(response, 400, buildError({ code: 'INVALID_ARGUMENT', status: 400 }))
    peer.received.push(message)
    json(response, 200, { name: `projects/ferry/messages/${peer.received.length}` })
  }

  const server = createServer((request, response) => {
    if (request.url === '/token') void grant(request, response)
    else if (request.url === '/v1/projects/ferry/messages:send') void send(request, response)
    else response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const peer: FcmPeer = {
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    },
    account: serviceAccount.parse({
      client_email: 'push@ferry.iam.gserviceaccount.com',
      private_key: privateKey.export({ format: 'pem', type: 'pkcs8' }),
      private_key_id: 'key-1',
      project_id: 'ferry',
      token_uri: `${url}/token`
    }),
    denied: undefined,
    down: undefined,
    grants: 0,
    life: 3600,
    received: [],
    revoked: false,
    url
  }
  return peer
}

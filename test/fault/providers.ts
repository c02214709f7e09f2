// A mail server, a gateway for SMS and calls, and Firebase, that have moods: too busy, broken, silent, or saying yes to
// nobody's hearing.

import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

import { SMTPServer } from 'smtp-server'

/** `lost`: it takes the message and the line ends before its yes. `silent`: it never answers, and takes nothing. */
export const MOODS = ['fine', 'busy', 'broken', 'silent', 'reset', 'lost'] as const
export type Mood = (typeof MOODS)[number]

export interface Taken {
  /** `performance.now()` */
  readonly at: number
  /** Whether the yes was said. */
  readonly said: boolean
}

export interface Providers extends AsyncDisposable {
  readonly env: Readonly<Record<string, string>>
  mood: Mood
  /** How many messages met each mood. */
  readonly met: ReadonlyMap<Mood, number>
  /** What was taken, by channel and key. */
  readonly taken: ReadonlyMap<string, readonly Taken[]>
}

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

/** What the gateway and Firebase are told. */
type Heard =
  | { readonly type: 'sms.send' | 'call.send'; readonly data: { readonly text: string } }
  | { readonly type?: undefined; readonly message: { readonly notification: { readonly title: string } } }

const keyIn = (heard: Heard): string =>
  heard.type === undefined
    ? `PUSH ${heard.message.notification.title}`
    : `${heard.type === 'sms.send' ? 'SMS' : 'CALL'} ${heard.data.text}`

const accountFor = (tokenUri: string): string =>
  JSON.stringify({
    client_email: 'storm@example.com',
    private_key: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
      format: 'pem',
      type: 'pkcs8'
    }),
    project_id: 'storm',
    token_uri: tokenUri
  })

export async function openProviders(): Promise<Providers> {
  const taken = new Map<string, Taken[]>()
  const sockets = new Set<Socket>()
  const state: { mood: Mood } = { mood: 'fine' }
  const met = new Map<Mood, number>()
  const meet = (): void => void met.set(state.mood, (met.get(state.mood) ?? 0) + 1)
  const take = (key: string, said: boolean): void => {
    const list = taken.get(key) ?? []
    list.push({ at: performance.now(), said })
    taken.set(key, list)
  }

  const byPort = new Map<number, Socket>()
  const refusal = (responseCode: number): Error => Object.assign(new Error('Not now'), { responseCode })
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    logger: false,
    onData(stream, session, callback) {
      let raw = ''
      stream.on('data', (chunk: Buffer) => (raw += chunk.toString()))
      stream.on('end', () => {
        meet()
        const key = `EMAIL ${/^Subject: (.*)$/m.exec(raw)?.[1]?.trim()}`
        const socket = byPort.get(session.remotePort)
        if (state.mood === 'busy') return callback(refusal(421))
        if (state.mood === 'broken') return callback(refusal(451))
        if (state.mood === 'silent') return
        if (state.mood === 'reset') return void socket?.resetAndDestroy()
        take(key, state.mood === 'fine')
        if (state.mood === 'lost') socket?.resetAndDestroy()
        else callback(null, 'queued')
      })
    }
  })
  smtp.on('error', () => {})
  smtp.server.on('connection', (socket: Socket) => byPort.set(socket.remotePort!, socket))

  const answer = (response: ServerResponse, status: number, headers = {}): void =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end('{"name":"one"}')
  const peer = createServer((request, response) => {
    let raw = ''
    request.on('data', (chunk: Buffer) => (raw += chunk.toString()))
    request.on('end', () => {
      if (request.url === '/token') {
        response.writeHead(200, { 'content-type': 'application/json' })
        return response.end('{"access_token":"one","expires_in":3600}')
      }
      meet()
      if (state.mood === 'busy') return answer(response, 429, { 'retry-after': '1' })
      if (state.mood === 'broken') return answer(response, 503)
      if (state.mood === 'silent') return
      if (state.mood === 'reset') return void request.socket.resetAndDestroy()
      take(keyIn(JSON.parse(raw) as Heard), state.mood === 'fine')
      if (state.mood === 'lost') request.socket.resetAndDestroy()
      else answer(response, 200)
    })
  })

  for (const server of [smtp.server, peer]) {
    server.on('connection', (socket: Socket) => {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    })
  }
  const portOf = async (server: typeof peer | typeof smtp.server): Promise<number> => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const [mail, http] = await Promise.all([portOf(smtp.server), portOf(peer)])
  return Object.assign(state, {
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await Promise.all([smtp.server, peer].map(server => new Promise(done => server.close(done))))
    },
    env: {
      NOTIF_ALLOW_PRIVATE: '127.0.0.0/8',
      NOTIF_FCM_SERVICE_ACCOUNT: accountFor(`http://127.0.0.1:${http}/token`),
      NOTIF_FCM_URL: `http://127.0.0.1:${http}`,
      NOTIF_SMS_FROM: '+12025550100',
      NOTIF_SMS_WEBHOOK_SECRET: SECRET,
      NOTIF_SMS_WEBHOOK_URL: `http://127.0.0.1:${http}/`,
      NOTIF_SMTP_URL: `smtp://127.0.0.1:${mail}`
    },
    met,
    taken
  })
}

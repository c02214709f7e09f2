// A fake APNs: HTTP/2 over TLS, checks token, headers and sizes as Apple documents them.
//
// The beginning of a device token chooses the answer, so one peer serves a whole table of faults.

import { generateKeyPairSync, randomUUID, verify } from 'node:crypto'
import { once } from 'node:events'
import {
  constants,
  createSecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream
} from 'node:http2'
import type { AddressInfo } from 'node:net'

import { TLS, trustPeers } from '../../support/tls.ts'

export const KEY_ID = 'ABC123DEFG'
export const TEAM_ID = 'TEAM123456'
export const TOPIC = 'com.company.app'

export interface Notified {
  readonly token: string
  readonly headers: IncomingHttpHeaders
  readonly payload: { readonly aps: Record<string, unknown>; readonly [key: string]: unknown }
}

export interface ApnsPeer extends AsyncDisposable {
  readonly url: string
  /** PEM of the accepted key. */
  readonly key: string
  readonly received: Notified[]
  /** Distinct provider tokens. */
  readonly bearers: Set<string>
  /** Maximum of simultaneous streams before the first answer of a connection. */
  early: number
  sessions: number
  /** Refuses everything with this status and reason. */
  down: readonly [number, string] | undefined
  /** Rejects the next provider token as expired. */
  expireOnce: boolean
}

/** Answers by the beginning of the device token. */
const ANSWERS: Readonly<Record<string, readonly [number, string, Readonly<Record<string, string>>?]>> = {
  bad: [400, 'BadDeviceToken'],
  bug: [500, 'InternalServerError'],
  busy: [503, 'ServiceUnavailable', { 'retry-after': '7' }],
  expired: [410, 'ExpiredToken'],
  forbidden: [403, 'InvalidProviderToken'],
  gone: [410, 'Unregistered'],
  other: [400, 'DeviceTokenNotForTopic'],
  rate: [429, 'TooManyRequests'],
  topic: [400, 'TopicDisallowed'],
  updates: [429, 'TooManyProviderTokenUpdates']
}

export const GONE_AT = Date.UTC(2026, 0, 1)

export async function apnsPeer(): Promise<ApnsPeer> {
  trustPeers()
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const open = new Set<ServerHttp2Session>()
  const proven = new WeakSet<ServerHttp2Session>()
  const streams = new Map<ServerHttp2Session, number>()
  const knownTokens = new Set<string>()
  /** The last stream that a connection processes. */
  const last = new WeakMap<ServerHttp2Session, number>()

  const objection = (authorization = ''): string | undefined => {
    const [, head = '', claims = '', signature = ''] =
      /^bearer ([^.]+)\.([^.]+)\.(.+)$/.exec(authorization) ?? []
    if (signature === '') return 'MissingProviderToken'
    const { alg, kid } = JSON.parse(Buffer.from(head, 'base64url').toString())
    const { iat, iss } = JSON.parse(Buffer.from(claims, 'base64url').toString())
    const signed = verify(
      'sha256',
      Buffer.from(`${head}.${claims}`),
      { dsaEncoding: 'ieee-p1363', key: publicKey },
      Buffer.from(signature, 'base64url')
    )
    if (!signed || alg !== 'ES256' || kid !== KEY_ID || iss !== TEAM_ID) return 'InvalidProviderToken'
    const age = Date.now() / 1000 - iat
    if (age > 3600 || peer.expireOnce) {
      peer.expireOnce = false
      return 'ExpiredProviderToken'
    }
    return undefined
  }

  const findFault = (headers: IncomingHttpHeaders, body: string): string | undefined => {
    const type = headers['apns-push-type']
    const priority = headers['apns-priority']
    if (headers['apns-topic'] !== TOPIC) return 'MissingTopic'
    if (type !== 'alert' && type !== 'background') return 'InvalidPushType'
    if (priority !== undefined && !['1', '5', '10'].includes(String(priority))) return 'BadPriority'
    if (type === 'background' && priority === '10') return 'BadPriority'
    if (!/^\d*$/.test(String(headers['apns-expiration'] ?? ''))) return 'BadExpirationDate'
    if (Buffer.byteLength(String(headers['apns-collapse-id'] ?? '')) > 64) return 'BadCollapseId'
    if (!/^[0-9a-f-]{36}$/.test(String(headers['apns-id']))) return 'BadMessageId'
    if (body === '') return 'PayloadEmpty'
    return Buffer.byteLength(body) > 4096 ? 'PayloadTooLarge' : undefined
  }

  const answer = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, body: string): void => {
    const token = decodeURIComponent(String(headers[':path']).replace('/3/device/', ''))
    const [word = ''] = token.split('-')
    const session = stream.session as ServerHttp2Session
    const say = (status: number, more: object = {}, said?: object): void => {
      proven.add(session)
      stream.respond({ ':status': status, 'apns-id': headers['apns-id'], ...more })
      stream.end(said && JSON.stringify(said))
    }
    const refused = objection(headers.authorization)
    if (refused) return say(403, {}, { reason: refused })
    peer.bearers.add(String(headers.authorization))
    if (peer.down) return say(peer.down[0], {}, { reason: peer.down[1] })
    const fault = findFault(headers, body)
    if (fault) return say(fault === 'PayloadTooLarge' ? 413 : 400, {}, { reason: fault })
    if (word === 'hang') return
    if (word === 'cut') return session.destroy()
    if (word === 'reset') return stream.close(constants.NGHTTP2_INTERNAL_ERROR)
    if (word === 'html') return void (stream.respond({ ':status': 502 }), stream.end('<html>'))
    if (word === 'leave' && !knownTokens.has(token)) {
      knownTokens.add(token)
      last.set(session, stream.id! - 2)
      session.goaway(constants.NGHTTP2_NO_ERROR, stream.id! - 2)
      return stream.close(constants.NGHTTP2_REFUSED_STREAM)
    }
    // No device has a token of zeros only.
    const answer = ANSWERS[/^0+$/.test(token) ? 'bad' : word]
    if (answer) {
      const [status, reason, more] = answer
      return say(status, more, { reason, ...(status === 410 && { timestamp: GONE_AT }) })
    }
    peer.received.push({ headers, payload: JSON.parse(body), token })
    say(200, { 'apns-unique-id': randomUUID() })
  }

  const server = createSecureServer({ ...TLS, settings: { maxConcurrentStreams: 1000 } })
  server.on('session', session => {
    peer.sessions += 1
    open.add(session)
    session.on('error', () => {})
    session.on('close', () => open.delete(session))
  })
  server.on('stream', (stream, headers) => {
    const session = stream.session as ServerHttp2Session
    if (!proven.has(session)) {
      streams.set(session, (streams.get(session) ?? 0) + 1)
      peer.early = Math.max(peer.early, streams.get(session)!)
    }
    let body = ''
    stream.on('error', () => {})
    stream.setEncoding('utf8')
    stream.on('data', chunk => (body += chunk))
    stream.on('end', () => {
      if (stream.id! > (last.get(session) ?? Infinity)) stream.close(constants.NGHTTP2_REFUSED_STREAM)
      else answer(stream, headers, body)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const peer: ApnsPeer = {
    async [Symbol.asyncDispose]() {
      for (const session of open) session.destroy()
      server.close()
      await once(server, 'close')
    },
    bearers: new Set(),
    down: undefined,
    early: 0,
    expireOnce: false,
    key: privateKey.export({ format: 'pem', type: 'pkcs8' }) as string,
    received: [],
    sessions: 0,
    url: `https://localhost:${(server.address() as AddressInfo).port}`
  }
  return peer
}

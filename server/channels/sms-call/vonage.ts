// Vonage: the Messages and Voice APIs, call-backs signed by a JSON Web Token with the hash of their body.

import { createPrivateKey, hash, randomUUID } from 'node:crypto'

import { signJwt } from '../../core/jwt.ts'
import { OTHER, type CallBack, type Phone, type PhoneKit, type Report } from './phone-provider.ts'
import { outcomeOf, type Reader } from './provider-answer.ts'
import { hmac, isSignature, objectIn, textIn } from './signature.ts'
import { escapeXml } from './speech.ts'

const reader: Reader = {
  fault: body => {
    // An address of the documentation whose end is the code: .../messages#1150
    const type = textIn(body, 'type')
    const code = type.slice(type.lastIndexOf('#') + 1).slice(-60)
    const detail = textIn(body, 'detail') || textIn(body, 'error_title')
    return type === '' && detail === '' ? undefined : { code: code || 'vonage', detail }
  },
  ref: body => textIn(body, 'message_uuid') || textIn(body, 'uuid') || undefined
}

const DELIVERED = new Set(['delivered', 'read', 'completed'])
const UNDELIVERED = new Set([
  'rejected',
  'undeliverable',
  'failed',
  'busy',
  'cancelled',
  'timeout',
  'unanswered'
])

function reportOf(body: Readonly<Record<string, unknown>>): Report {
  const ref = textIn(body, 'message_uuid') || textIn(body, 'uuid')
  const status = textIn(body, 'status')
  if (status === '') {
    return { from: `+${textIn(body, 'from')}`, id: ref, kind: 'inbound', text: textIn(body, 'text') }
  }
  if (DELIVERED.has(status)) return { kind: 'receipt', outcome: 'delivered', ref }
  if (!UNDELIVERED.has(status)) return OTHER
  const fault = reader.fault((body['error'] ?? {}) as Readonly<Record<string, unknown>>)
  return { code: status, ...fault, kind: 'receipt', outcome: 'undelivered', ref }
}

/** Minutes between their clock and ours. */
const SKEW = 5 * 60_000

/** A token of HS256 whose `payload_hash` is that of the body (developer.vonage.com, signed webhooks). */
function isSignedBy(secret: string, { body, headers }: CallBack, now: number): boolean {
  const [, token = ''] = /^bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? []
  const [head = '', claims = '', signature] = token.split('.')
  if (!isSignature(signature, hmac('sha256', secret, `${head}.${claims}`), 'base64url')) return false
  const said = objectIn(Buffer.from(claims, 'base64url'))
  const fresh = Math.abs(Number(said?.['iat']) * 1000 - now) < SKEW
  return fresh && isSignature(textIn(said, 'payload_hash'), hash('sha256', body, 'buffer'), 'hex')
}

export function vonage({ clock, config, provider }: PhoneKit): Phone {
  const { vonageApplication, vonageKey, vonagePrivateKey, vonageSecret, vonageSignature, vonageUrl } = config
  const key = vonagePrivateKey === undefined ? undefined : createPrivateKey(vonagePrivateKey)

  const bearer = (): string => {
    const now = Math.floor(clock() / 1000)
    const claims = { application_id: vonageApplication!, exp: now + 900, iat: now, jti: randomUUID() }
    return `Bearer ${signJwt({ alg: 'RS256', typ: 'JWT' }, claims, key!)}`
  }
  const basic = `Basic ${Buffer.from(`${vonageKey}:${vonageSecret}`).toString('base64')}`

  const post = async (path: string, body: object, signal: AbortSignal) => {
    const headers = { authorization: key ? bearer() : basic, 'content-type': 'application/json' }
    const request = { body: JSON.stringify(body), headers, method: 'POST', signal } as const
    return outcomeOf(await provider.request(vonageUrl + path, request), reader, clock())
  }
  const plain = (number: string): string => number.replace(/^\+/, '')

  return {
    call: {
      close: async () => {},
      async send({ from, language, statusUrl, text, to }, _, { signal }) {
        if (!key) {
          const detail = 'Calls by Vonage need NOTIF_VONAGE_APPLICATION_ID and NOTIF_VONAGE_PRIVATE_KEY.'
          return { code: 'no-application', detail, kind: 'pause' }
        }
        const body = {
          from: { number: plain(from ?? ''), type: 'phone' },
          // As markup of ours, because a text that begins as markup would be read as such.
          ncco: [{ action: 'talk', language, text: `<speak>${escapeXml(text)}</speak>` }],
          to: [{ number: plain(to), type: 'phone' }],
          ...(statusUrl && { event_method: 'POST', event_url: [statusUrl] })
        }
        return post('/v1/calls', body, signal)
      }
    },
    read(callBack) {
      if (vonageSignature === undefined || !isSignedBy(vonageSignature, callBack, clock())) return undefined
      const body = objectIn(callBack.body)
      return body ? reportOf(body) : OTHER
    },
    sms: {
      close: async () => {},
      send({ from, mediaUrls, reference, statusUrl, text, to }, _, { signal }) {
        const body = {
          channel: 'sms',
          client_ref: reference,
          from: plain(from ?? ''),
          message_type: 'text',
          // Its SMS carry no pictures.
          text: [text, ...mediaUrls].filter(Boolean).join('\n'),
          to: plain(to),
          ...(statusUrl && { webhook_url: statusUrl, webhook_version: 'v1' })
        }
        return post('/v1/messages', body, signal)
      }
    }
  }
}

// Vonage: SMS by its Messages API and calls by its Voice API; callbacks are signed by a JSON Web Token.
//
// https://developer.vonage.com/en/api/messages, https://developer.vonage.com/en/api/voice

import { createPrivateKey, hash, randomUUID } from 'node:crypto'

import { smsBaseUrl } from '../../config/phone.ts'
import { signJwt } from '../../core/jwt.ts'
import { parseJsonObject, readText, type JsonObject } from '../provider-answer.ts'
import { basicAuthorization, postToProvider, type AnswerReader } from './outcome.ts'
import {
  computeHmac,
  escapeXml,
  IGNORED_REPORT,
  isSignature,
  toReceipt,
  type Callback,
  type PhoneContext,
  type PhoneProvider,
  type Report
} from './phone-provider.ts'

const TOKEN_LIFETIME_SECONDS = 900
const MAX_CLOCK_SKEW_MS = 5 * 60_000
const MAX_CODE_CHARACTERS = 60

const reader: AnswerReader = {
  error: body => {
    // The type is an address of the documentation that ends in the code: .../messages#1150
    const type = readText(body, 'type')
    const code = type.slice(type.lastIndexOf('#') + 1).slice(-MAX_CODE_CHARACTERS)
    const detail = readText(body, 'detail') || readText(body, 'error_title')
    return type === '' && detail === '' ? undefined : { code: code || 'vonage', detail }
  },
  ref: body => readText(body, 'message_uuid') || readText(body, 'uuid') || undefined,
  // Invalid sender: https://developer.vonage.com/en/api-errors/messages
  senderCodes: new Set(['1120'])
}

function readReport(body: JsonObject): Report {
  const ref = readText(body, 'message_uuid') || readText(body, 'uuid')
  const status = readText(body, 'status')
  if (status === '') {
    return { from: `+${readText(body, 'from')}`, id: ref, kind: 'inbound', text: readText(body, 'text') }
  }
  return toReceipt(ref, status, reader.error((body['error'] ?? {}) as JsonObject) ?? {})
}

/**
 * Checks an HS256 token with the hash of the body: https://developer.vonage.com/en/getting-started/concepts/webhooks
 *
 * @returns its signature, or undefined if the token is wrong or old
 */
function verify(secret: string, { body, headers }: Callback, now: number): Buffer | undefined {
  const [, token = ''] = /^bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? []
  const [head = '', payload = '', signature] = token.split('.')
  const expected = computeHmac('sha256', secret, `${head}.${payload}`)
  if (!isSignature(signature, expected, 'base64url')) return undefined
  const claims = parseJsonObject(Buffer.from(payload, 'base64url'))
  const isRecent = Math.abs(Number(claims?.['iat']) * 1000 - now) < MAX_CLOCK_SKEW_MS
  const isOfBody = isSignature(readText(claims, 'payload_hash'), hash('sha256', body, 'buffer'), 'hex')
  return isRecent && isOfBody ? expected : undefined
}

export function openVonage(context: PhoneContext): PhoneProvider {
  const { clock, config } = context
  const { vonageApplication, vonageKey, vonagePrivateKey, vonageSecret, vonageSignature } = config
  const base = smsBaseUrl(config, 'vonage')
  const key = vonagePrivateKey === undefined ? undefined : createPrivateKey(vonagePrivateKey)

  const signToken = (): string => {
    const now = Math.floor(clock() / 1000)
    const times = { exp: now + TOKEN_LIFETIME_SECONDS, iat: now }
    const claims = { application_id: vonageApplication!, ...times, jti: randomUUID() }
    return signJwt({ alg: 'RS256', typ: 'JWT' }, claims, key!)
  }
  const post = (path: string, body: object, signal: AbortSignal) => {
    const authorization = key
      ? `Bearer ${signToken()}`
      : basicAuthorization(String(vonageKey), String(vonageSecret))
    return postToProvider(context, reader, { authorization, body, signal, url: base + path })
  }
  const withoutPlus = (number: string): string => number.replace(/^\+/, '')

  return {
    call: {
      async send({ from, language, statusUrl, text, to }, _, { signal }) {
        if (!key) {
          const detail = 'Calls by Vonage need NOTIF_VONAGE_APPLICATION_ID and NOTIF_VONAGE_PRIVATE_KEY.'
          return { code: 'no-application', detail, kind: 'pause' }
        }
        const body = {
          from: { number: withoutPlus(from ?? ''), type: 'phone' },
          // Always SSML, because Vonage would read a text that looks like SSML as such.
          ncco: [{ action: 'talk', language, text: `<speak>${escapeXml(text)}</speak>` }],
          to: [{ number: withoutPlus(to), type: 'phone' }],
          ...(statusUrl && { event_method: 'POST', event_url: [statusUrl] })
        }
        return post('/v1/calls', body, signal)
      }
    },
    readCallback(callback) {
      const signature = vonageSignature === undefined ? undefined : verify(vonageSignature, callback, clock())
      if (!signature) return undefined
      const body = parseJsonObject(callback.body)
      return { isBodySigned: true, report: body ? readReport(body) : IGNORED_REPORT, signature }
    },
    sms: {
      send({ from, mediaUrls, reference, statusUrl, text, to }, _, { signal }) {
        const body = {
          channel: 'sms',
          client_ref: reference,
          from: withoutPlus(from ?? ''),
          message_type: 'text',
          // An SMS of Vonage contains no pictures, so their addresses are appended.
          text: [text, ...mediaUrls].filter(Boolean).join('\n'),
          to: withoutPlus(to),
          ...(statusUrl && { webhook_url: statusUrl, webhook_version: 'v1' })
        }
        return post('/v1/messages', body, signal)
      }
    }
  }
}

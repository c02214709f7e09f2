// Plivo: SMS and calls as JSON. It asks for the words of a call when the phone is picked up.

import { OTHER, type CallBack, type Phone, type PhoneKit, type Report } from './phone-provider.ts'
import { outcomeOf, type Body, type Reader } from './provider-answer.ts'
import { hmac, isSignature, textIn } from './signature.ts'
import { speech } from './speech.ts'

/** Error texts begin with what they are about; the code is the word of the status. */
const reader: Reader = {
  fault: body => {
    const error = body['error']
    const detail = typeof error === 'string' ? error : error === undefined ? '' : JSON.stringify(error)
    return detail === '' ? undefined : { code: textIn(body, 'error_code') || 'plivo', detail }
  },
  ref: body => firstOf(body, 'message_uuid') || firstOf(body, 'request_uuid') || undefined
}

function firstOf(body: Body | undefined, key: string): string {
  const value = body?.[key]
  return Array.isArray(value) ? String(value[0] ?? '') : textIn(body, key)
}

const DELIVERED = new Set(['delivered', 'read', 'completed'])
const UNDELIVERED = new Set(['undelivered', 'failed', 'rejected', 'busy', 'timeout', 'no-answer', 'cancel'])

function reportOf(form: URLSearchParams): Report {
  const ref = form.get('MessageUUID') ?? form.get('RequestUUID') ?? form.get('CallUUID') ?? ''
  const status = form.get('Status') ?? form.get('CallStatus')
  if (status === null) {
    const from = (form.get('From') ?? '').replace(/^\+?/, '+')
    return { from, id: ref, kind: 'inbound', text: form.get('Text') ?? '' }
  }
  if (DELIVERED.has(status)) return { kind: 'receipt', outcome: 'delivered', ref }
  if (!UNDELIVERED.has(status)) return OTHER
  const code = form.get('ErrorCode') ?? form.get('HangupCauseCode') ?? status
  return { code, detail: form.get('HangupCauseName') ?? '', kind: 'receipt', outcome: 'undelivered', ref }
}

/** Version 3 of calls: address, sorted form and nonce. Ours have no query. */
const signature3 = (token: string, url: string, form: URLSearchParams, nonce: string): Buffer => {
  const pairs = [...form].toSorted(([a, x], [b, y]) => (a < b ? -1 : a > b ? 1 : x < y ? -1 : 1))
  return hmac('sha256', token, `${url}${pairs.length > 0 ? '?' : ''}${pairs.flat().join('')}.${nonce}`)
}

/** Version 2 of messages: address and nonce. */
const signature2 = (token: string, url: string, nonce: string): Buffer => hmac('sha256', token, url + nonce)

/** A header may hold several, one for each token of the account that is valid. */
function isSigned({ headers, url }: CallBack, form: URLSearchParams, token: string): boolean {
  const given = (version: 'v2' | 'v3') => ({
    nonce: String(headers[`x-plivo-signature-${version}-nonce`] ?? ''),
    signatures: String(headers[`x-plivo-signature-${version}`] ?? '').split(',')
  })
  const three = given('v3')
  if (three.nonce !== '') {
    const expected = signature3(token, url, form, three.nonce)
    return three.signatures.some(one => isSignature(one.trim(), expected))
  }
  const { nonce, signatures } = given('v2')
  const expected = signature2(token, url, nonce)
  return signatures.some(one => isSignature(one.trim(), expected))
}

export function plivo({ clock, config, provider }: PhoneKit): Phone {
  const { plivoId = '', plivoToken: token = '', plivoUrl } = config
  const authorization = `Basic ${Buffer.from(`${plivoId}:${token}`).toString('base64')}`
  const post = async (what: 'Message' | 'Call', body: object, signal: AbortSignal) => {
    const url = `${plivoUrl}/v1/Account/${encodeURIComponent(plivoId)}/${what}/`
    const headers = { authorization, 'content-type': 'application/json' }
    const request = { body: JSON.stringify(body), headers, method: 'POST', signal } as const
    return outcomeOf(await provider.request(url, request), reader, clock())
  }
  return {
    call: {
      close: async () => {},
      send({ answerUrl, from, statusUrl, to }, _, { signal }) {
        const body = {
          answer_method: 'POST',
          answer_url: answerUrl,
          from,
          to,
          ...(statusUrl && { hangup_method: 'POST', hangup_url: statusUrl })
        }
        return post('Call', body, signal)
      }
    },
    read(callBack) {
      const form = new URLSearchParams(callBack.body.toString())
      return isSigned(callBack, form, token) ? reportOf(form) : undefined
    },
    say: (text, language) => ({ body: speech('Speak', text, language), type: 'text/xml; charset=utf-8' }),
    sms: {
      close: async () => {},
      send({ from, mediaUrls, statusUrl, text, to }, _, { signal }) {
        const body = {
          dst: to,
          src: from,
          text,
          ...(mediaUrls.length > 0 && { media_urls: mediaUrls, type: 'mms' }),
          ...(statusUrl && { method: 'POST', url: statusUrl })
        }
        return post('Message', body, signal)
      }
    }
  }
}

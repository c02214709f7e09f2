// Plivo: SMS and calls as JSON. It requests the text of a call when the call is answered.
//
// https://www.plivo.com/docs/messaging/api/message, https://www.plivo.com/docs/voice/api/call

import { smsBaseUrl } from '../../config/phone.ts'
import { readText, type JsonObject } from '../provider-answer.ts'
import { basicAuthorization, postToProvider, type AnswerReader } from './outcome.ts'
import {
  computeHmac,
  isSignature,
  toReceipt,
  toSpeechXml,
  type Callback,
  type PhoneContext,
  type PhoneProvider,
  type Report,
  type SignedReport
} from './phone-provider.ts'

const reader: AnswerReader = {
  error: body => {
    const error = body['error']
    const detail = typeof error === 'string' ? error : error === undefined ? '' : JSON.stringify(error)
    return detail === '' ? undefined : { code: readText(body, 'error_code') || 'plivo', detail }
  },
  ref: body => readFirst(body, 'message_uuid') || readFirst(body, 'request_uuid') || undefined
}

/** Plivo returns ids as a list with one entry. */
function readFirst(body: JsonObject | undefined, key: string): string {
  const value = body?.[key]
  return Array.isArray(value) ? String(value[0] ?? '') : readText(body, key)
}

function readReport(form: URLSearchParams): Report {
  const ref = form.get('MessageUUID') ?? form.get('RequestUUID') ?? form.get('CallUUID') ?? ''
  const status = form.get('Status') ?? form.get('CallStatus')
  if (status === null) {
    const from = (form.get('From') ?? '').replace(/^\+?/, '+')
    return { from, id: ref, kind: 'inbound', text: form.get('Text') ?? '' }
  }
  return toReceipt(ref, status, {
    code: form.get('ErrorCode') ?? form.get('HangupCauseCode') ?? status,
    detail: form.get('HangupCauseName') ?? ''
  })
}

/** Callbacks of calls sign address, sorted form and nonce: https://www.plivo.com/docs/voice/concepts/signature-validation */
const computeSignatureV3 = (token: string, url: string, form: URLSearchParams, nonce: string): Buffer => {
  const pairs = [...form].toSorted(([a, x], [b, y]) => (a < b ? -1 : a > b ? 1 : x < y ? -1 : 1))
  return computeHmac('sha256', token, `${url}${pairs.length > 0 ? '?' : ''}${pairs.flat().join('')}.${nonce}`)
}

/** Callbacks of messages sign address and nonce: https://www.plivo.com/docs/messaging/concepts/signature-validation */
const computeSignatureV2 = (token: string, url: string, nonce: string): Buffer =>
  computeHmac('sha256', token, url + nonce)

/**
 * A header contains one signature for each valid token of the account.
 *
 * @returns undefined if none is right
 */
function verify(
  { headers, url }: Callback,
  form: URLSearchParams,
  token: string
): Omit<SignedReport, 'report'> | undefined {
  const readHeaders = (version: 'v2' | 'v3') => ({
    nonce: String(headers[`x-plivo-signature-${version}-nonce`] ?? ''),
    signatures: String(headers[`x-plivo-signature-${version}`] ?? '').split(',')
  })
  const v3 = readHeaders('v3')
  const isBodySigned = v3.nonce !== ''
  const { nonce, signatures } = isBodySigned ? v3 : readHeaders('v2')
  const signature = isBodySigned
    ? computeSignatureV3(token, url, form, nonce)
    : computeSignatureV2(token, url, nonce)
  return signatures.some(given => isSignature(given.trim(), signature))
    ? { isBodySigned, signature }
    : undefined
}

export function openPlivo(context: PhoneContext): PhoneProvider {
  const { plivoId = '', plivoToken: token = '' } = context.config
  const base = smsBaseUrl(context.config, 'plivo')
  const authorization = basicAuthorization(plivoId, token)
  const post = (resource: 'Message' | 'Call', body: object, signal: AbortSignal) => {
    const url = `${base}/v1/Account/${encodeURIComponent(plivoId)}/${resource}/`
    return postToProvider(context, reader, { authorization, body, signal, url })
  }
  return {
    call: {
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
    readCallback(callback) {
      const form = new URLSearchParams(callback.body.toString())
      const signed = verify(callback, form, token)
      return signed && { ...signed, report: readReport(form) }
    },
    sms: {
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
    },
    toSpeech: (text, language) => ({
      body: toSpeechXml('Speak', text, language),
      type: 'text/xml; charset=utf-8'
    })
  }
}

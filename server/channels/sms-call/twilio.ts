// Twilio: SMS and calls as forms; callbacks are signed with the auth token.
//
// https://www.twilio.com/docs/messaging/api/message-resource, https://www.twilio.com/docs/voice/api/call-resource

import { smsBaseUrl } from '../../config/phone.ts'
import { readText } from '../provider-answer.ts'
import { basicAuthorization, postToProvider, type AnswerReader } from './outcome.ts'
import {
  computeHmac,
  isSignature,
  toReceipt,
  toSpeechXml,
  type PhoneContext,
  type PhoneProvider,
  type Report
} from './phone-provider.ts'

/** Error codes: https://www.twilio.com/docs/api/errors */
const reader: AnswerReader = {
  // The account is not active, or suspended.
  accountCodes: new Set(['10001', '20005', '30002', '90010']),
  error: body => {
    const code = readText(body, 'code')
    return code === '' ? undefined : { code, detail: readText(body, 'message') }
  },
  // The queue of the sending number is full.
  passingCodes: new Set(['21611']),
  ref: body => readText(body, 'sid') || undefined,
  // The sending number is malformed, missing, not one of the account, or cannot send text messages.
  senderCodes: new Set(['21212', '21603', '21606', '21659', '21660'])
}

function readReport(form: URLSearchParams): Report {
  const ref = form.get('MessageSid') ?? form.get('CallSid') ?? ''
  const status = form.get('MessageStatus') ?? form.get('CallStatus')
  if (status === null) {
    return { from: form.get('From') ?? '', id: ref, kind: 'inbound', text: form.get('Body') ?? '' }
  }
  return toReceipt(ref, status, {
    code: form.get('ErrorCode') ?? status,
    detail: form.get('ErrorMessage') ?? ''
  })
}

/** Signs the address and the form, sorted by name: https://www.twilio.com/docs/usage/security */
const computeSignature = (token: string, url: string, form: URLSearchParams): Buffer => {
  const pairs = [...form].toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return computeHmac('sha1', token, url + pairs.flat().join(''))
}

export function openTwilio(context: PhoneContext): PhoneProvider {
  const { twilioAccount: account = '', twilioService, twilioToken: token = '' } = context.config
  const base = smsBaseUrl(context.config, 'twilio')
  const authorization = basicAuthorization(account, token)
  const post = (resource: 'Messages' | 'Calls', body: URLSearchParams, signal: AbortSignal) => {
    const url = `${base}/2010-04-01/Accounts/${encodeURIComponent(account)}/${resource}.json`
    return postToProvider(context, reader, { authorization, body, signal, url })
  }
  return {
    call: {
      send({ from, language, statusUrl, text, to }, _, { signal }) {
        const twiml = toSpeechXml('Say', text, language)
        const form = new URLSearchParams({ From: from ?? '', To: to, Twiml: twiml })
        if (statusUrl) form.set('StatusCallback', statusUrl)
        return post('Calls', form, signal)
      }
    },
    readCallback({ body, headers, url }) {
      const form = new URLSearchParams(body.toString())
      const signature = computeSignature(token, url, form)
      if (!isSignature(headers['x-twilio-signature'], signature)) return undefined
      return { isBodySigned: true, report: readReport(form), signature }
    },
    sms: {
      send({ from, mediaUrls, statusUrl, text, to }, _, { signal }) {
        const form = new URLSearchParams({ Body: text, To: to })
        if (from !== undefined) form.set('From', from)
        else form.set('MessagingServiceSid', twilioService ?? '')
        for (const url of mediaUrls) form.append('MediaUrl', url)
        if (statusUrl) form.set('StatusCallback', statusUrl)
        return post('Messages', form, signal)
      }
    }
  }
}

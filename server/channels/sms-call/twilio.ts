// Twilio: SMS and calls as forms, call-backs signed with the auth token.

import { OTHER, type Phone, type PhoneKit, type Report } from './phone-provider.ts'
import { outcomeOf, type Reader } from './provider-answer.ts'
import { hmac, isSignature, textIn } from './signature.ts'
import { speech } from './speech.ts'

const reader: Reader = {
  fault: body => {
    const code = textIn(body, 'code')
    return code === '' ? undefined : { code, detail: textIn(body, 'message') }
  },
  // The queue of the sending number is full.
  passing: new Set(['21611']),
  ref: body => textIn(body, 'sid') || undefined
}

const DELIVERED = new Set(['delivered', 'read', 'completed'])
const UNDELIVERED = new Set(['undelivered', 'failed', 'busy', 'no-answer', 'canceled'])

function reportOf(form: URLSearchParams): Report {
  const ref = form.get('MessageSid') ?? form.get('CallSid') ?? ''
  const status = form.get('MessageStatus') ?? form.get('CallStatus')
  if (status === null) {
    return { from: form.get('From') ?? '', id: ref, kind: 'inbound', text: form.get('Body') ?? '' }
  }
  if (DELIVERED.has(status)) return { kind: 'receipt', outcome: 'delivered', ref }
  if (!UNDELIVERED.has(status)) return OTHER
  const detail = form.get('ErrorMessage') ?? ''
  return { code: form.get('ErrorCode') ?? status, detail, kind: 'receipt', outcome: 'undelivered', ref }
}

/** Of address and form, in the order of the names (twilio.com/docs/usage/security). */
const twilioSignature = (token: string, url: string, form: URLSearchParams): Buffer => {
  const pairs = [...form].toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return hmac('sha1', token, url + pairs.flat().join(''))
}

export function twilio({ clock, config, provider }: PhoneKit): Phone {
  const { twilioAccount: account = '', twilioService, twilioToken: token = '', twilioUrl } = config
  const authorization = `Basic ${Buffer.from(`${account}:${token}`).toString('base64')}`
  const post = async (what: 'Messages' | 'Calls', form: URLSearchParams, signal: AbortSignal) => {
    const url = `${twilioUrl}/2010-04-01/Accounts/${encodeURIComponent(account)}/${what}.json`
    const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' }
    const result = await provider.request(url, { body: form.toString(), headers, method: 'POST', signal })
    return outcomeOf(result, reader, clock())
  }
  return {
    call: {
      close: async () => {},
      send({ from, language, statusUrl, text, to }, _, { signal }) {
        const form = new URLSearchParams({ From: from ?? '', To: to, Twiml: speech('Say', text, language) })
        if (statusUrl) form.set('StatusCallback', statusUrl)
        return post('Calls', form, signal)
      }
    },
    read({ body, headers, url }) {
      const form = new URLSearchParams(body.toString())
      const signature = headers['x-twilio-signature']
      return isSignature(signature, twilioSignature(token, url, form)) ? reportOf(form) : undefined
    },
    sms: {
      close: async () => {},
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

// A gateway of the operator's own: messages and calls as Standard Webhooks (standardwebhooks.com), and back the same way.

import type { Outcome } from '../../queue/outcome.ts'
import type { Delivery } from '../channel.ts'
import { OTHER, type CallBack, type Phone, type PhoneKit, type Report } from './phone-provider.ts'
import { outcomeOf } from './provider-answer.ts'
import { hmac, isSignature, objectIn, textIn } from './signature.ts'

/** How old a call-back may be. Milliseconds. */
const TOLERANCE = 5 * 60_000

const keyOf = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ''), 'base64')

/** @param seconds - Unix time */
export const webhookSignature = (
  secret: string,
  id: string,
  seconds: string,
  body: string | Buffer
): Buffer =>
  hmac('sha256', keyOf(secret), Buffer.concat([Buffer.from(`${id}.${seconds}.`), Buffer.from(body)]))

function isSigned({ body, headers }: CallBack, secret: string, now: number): boolean {
  const id = String(headers['webhook-id'] ?? '')
  const seconds = String(headers['webhook-timestamp'] ?? '')
  if (!/^\d{1,12}$/.test(seconds)) return false
  if (Math.abs(Number(seconds) * 1000 - now) > TOLERANCE) return false
  const expected = webhookSignature(secret, id, seconds, body)
  return String(headers['webhook-signature'] ?? '')
    .split(' ')
    .some(one => one.startsWith('v1,') && isSignature(one.slice(3), expected))
}

function reportOf(body: Readonly<Record<string, unknown>> | undefined): Report {
  const data = (body?.['data'] ?? {}) as Readonly<Record<string, unknown>>
  const id = textIn(data, 'id')
  const [, what] = /^(?:sms|call)\.(delivered|failed|inbound)$/.exec(textIn(body, 'type')) ?? []
  if (what === 'inbound')
    return { from: textIn(data, 'from'), id, kind: 'inbound', text: textIn(data, 'text') }
  if (what === 'delivered') return { kind: 'receipt', outcome: 'delivered', ref: id }
  if (what !== 'failed') return OTHER
  const [code, detail] = [textIn(data, 'code') || 'failed', textIn(data, 'detail')]
  return { code, detail, kind: 'receipt', outcome: 'undelivered', ref: id }
}

export function webhook({ clock, config, outbound }: PhoneKit): Phone {
  const { smsWebhookSecret: secret = '', smsWebhookUrl: url = '' } = config

  const post = async (
    type: string,
    message: object,
    { id, sendId, userId }: Delivery,
    signal: AbortSignal
  ) => {
    const now = clock()
    const seconds = String(Math.floor(now / 1000))
    const data = { id, trackingId: sendId, userId, ...message }
    const body = JSON.stringify({ data, timestamp: new Date(now).toISOString(), type })
    const headers = {
      'content-type': 'application/json',
      // The same for every try, so that the gateway can tell a repeat.
      'webhook-id': id,
      'webhook-signature': `v1,${webhookSignature(secret, id, seconds, body).toString('base64')}`,
      'webhook-timestamp': seconds
    }
    const result = await outbound.request(url, { body, headers, method: 'POST', signal })
    return outcomeOf(
      result,
      {
        fault: answer => {
          const detail = textIn(answer, 'detail') || textIn(answer, 'message')
          return detail === '' ? undefined : { code: textIn(answer, 'code') || 'webhook', detail }
        },
        // An empty answer is a yes; a page is not.
        ref: (answer, text) => (answer || text === '' ? textIn(answer, 'id') || id : undefined)
      },
      now
    )
  }
  const send =
    <Message extends object>(type: string) =>
    (message: Message, delivery: Delivery, { signal }: { signal: AbortSignal }): Promise<Outcome> =>
      post(type, message, delivery, signal)

  return {
    call: { close: async () => {}, send: send('call.send') },
    read(callBack) {
      return isSigned(callBack, secret, clock()) ? reportOf(objectIn(callBack.body)) : undefined
    },
    sms: { close: async () => {}, send: send('sms.send') }
  }
}

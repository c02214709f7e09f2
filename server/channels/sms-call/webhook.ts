// The operator's own gateway: messages, calls and callbacks as Standard Webhooks.
//
// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md

import { webhookHeaders, webhookSignature } from '../../outbound/standard-webhook.ts'
import type { Outcome } from '../../queue/outcome.ts'
import type { Provider } from '../channel.ts'
import { parseJsonObject, readText, type JsonObject } from '../provider-answer.ts'
import { toOutcome } from './outcome.ts'
import {
  IGNORED_REPORT,
  isSignature,
  toReceipt,
  type Callback,
  type PhoneContext,
  type PhoneProvider,
  type Report
} from './phone-provider.ts'

const MAX_CALLBACK_AGE_MS = 5 * 60_000

/** @returns the signature, or undefined if it is wrong or old */
function verify({ body, headers }: Callback, secret: string, now: number): Buffer | undefined {
  const id = String(headers['webhook-id'] ?? '')
  const seconds = String(headers['webhook-timestamp'] ?? '')
  if (!/^\d{1,12}$/.test(seconds)) return undefined
  if (Math.abs(Number(seconds) * 1000 - now) > MAX_CALLBACK_AGE_MS) return undefined
  const expected = webhookSignature(secret, id, seconds, body)
  const isSigned = String(headers['webhook-signature'] ?? '')
    .split(' ')
    .some(signature => signature.startsWith('v1,') && isSignature(signature.slice(3), expected))
  return isSigned ? expected : undefined
}

function readReport(body: JsonObject | undefined): Report {
  const data = (body?.['data'] ?? {}) as JsonObject
  const id = readText(data, 'id')
  const [, event] = /^(?:sms|call)\.(delivered|failed|inbound)$/.exec(readText(body, 'type')) ?? []
  if (event === undefined) return IGNORED_REPORT
  if (event === 'inbound')
    return { from: readText(data, 'from'), id, kind: 'inbound', text: readText(data, 'text') }
  return toReceipt(id, event, { code: readText(data, 'code') || 'failed', detail: readText(data, 'detail') })
}

export function openWebhook({ clock, config, outbound }: PhoneContext): PhoneProvider {
  const { smsWebhookSecret: secret = '', smsWebhookUrl: url = '' } = config

  const openProvider = <Message extends object>(type: 'sms.send' | 'call.send'): Provider<Message> => ({
    async send(message, { id, sendId, userId }, { signal }): Promise<Outcome> {
      const now = clock()
      const data = { id, trackingId: sendId, userId, ...message }
      const body = JSON.stringify({ data, timestamp: new Date(now).toISOString(), type })
      const headers = webhookHeaders(id, body, [secret], now)
      const result = await outbound.request(url, { body, headers, method: 'POST', signal })
      return toOutcome(
        result,
        {
          error: answer => {
            const detail = readText(answer, 'detail') || readText(answer, 'message')
            return detail === '' ? undefined : { code: readText(answer, 'code') || 'webhook', detail }
          },
          // An empty answer accepts the message; an HTML page does not.
          ref: (answer, text) => (answer || text === '' ? readText(answer, 'id') || id : undefined)
        },
        now
      )
    }
  })

  return {
    call: openProvider('call.send'),
    readCallback(callback) {
      const signature = verify(callback, secret, clock())
      return (
        signature && { isBodySigned: true, report: readReport(parseJsonObject(callback.body)), signature }
      )
    },
    sms: openProvider('sms.send')
  }
}

// Sends web pushes: one POST to the push service of a browser (RFC 8030) through the guarded HTTP client.
//
// Endpoints come from browsers, so anyone can name one: no answer of a push service pauses the whole queue.

import type { Clock } from '../../../core/clock.ts'
import { parseRetryAfter } from '../../../core/retry-after.ts'
import type { VapidKeys } from '../../../environments/encryption/keys.ts'
import type { Outbound } from '../../../outbound/outbound.ts'
import type { Outcome } from '../../../queue/outcome.ts'
import type { Provider } from '../../channel.ts'
import { toUnansweredAddressOutcome } from '../../provider-answer.ts'
import type { WebPushMessage } from './message.ts'
import { createPushRequests } from './request.ts'

export interface WebPushProviderOptions {
  readonly clock: Clock
  readonly outbound: Outbound
  readonly keys: VapidKeys
  /** `mailto:` or `https:` address of the operator. */
  readonly subject: string
}

/** The subscription is gone (RFC 8030, 7.3). */
const GONE_STATUSES = new Set([404, 410])
/** The message itself is too large or malformed. */
const MESSAGE_STATUSES = new Set([400, 406, 411, 413, 415, 422])

const MAX_REF_CHARACTERS = 500
const MAX_DETAIL_BYTES = 500

function toOutcome(status: number, detail: string, retryAfterMs: number | undefined): Outcome {
  const code = String(status)
  if (status >= 200 && status < 300) return { kind: 'sent' }
  if (GONE_STATUSES.has(status)) return { code, detail, kind: 'gone' }
  if (MESSAGE_STATUSES.has(status)) return { code, detail, kind: 'dead' }
  // 401 and 403: the service rejects the VAPID key, which the operator can repair within the hours of the back-off.
  return { code, detail, kind: 'retry', retryAfterMs }
}

export function openWebPushProvider(options: WebPushProviderOptions): Provider<WebPushMessage> {
  const { clock, outbound } = options
  const buildRequest = createPushRequests(options)
  return {
    async send(message, { sendId }, { signal }) {
      // The topic is the same for every attempt, so a repeated message replaces the first.
      const { body, headers } = buildRequest(message, message.payload, sendId.replaceAll('-', ''))
      const answer = await outbound.request(message.endpoint, {
        body,
        headers,
        // Many browsers share the origin of a push service, and a repeated message is harmless.
        keepAlive: true,
        method: 'POST',
        signal
      })
      if (!answer.ok) return toUnansweredAddressOutcome(answer)
      const retryAfterMs = parseRetryAfter(answer.headers['retry-after'], clock())
      const detail = answer.body.toString('utf8', 0, MAX_DETAIL_BYTES)
      const outcome = toOutcome(answer.status, detail, retryAfterMs)
      const ref = answer.headers.location?.slice(0, MAX_REF_CHARACTERS)
      return outcome.kind === 'sent' && ref !== undefined ? { ...outcome, ref } : outcome
    }
  }
}

// Sends web pushes: one POST to the push service of a browser (RFC 8030) through the guarded HTTP client.
//
// Endpoints come from browsers, so anyone can name one: no answer of a push service pauses the whole queue.

import type { Clock } from '../../../core/clock.ts'
import { parseRetryAfter } from '../../../core/retry-after.ts'
import type { VapidKeys } from '../../../environments/encryption/keys.ts'
import type { Outbound } from '../../../outbound/outbound.ts'
import type { Outcome } from '../../../queue/outcome.ts'
import type { Provider } from '../../channel.ts'
import type { WebPushMessage } from './message.ts'
import { createPushRequests } from './request.ts'

export interface WebPushProviderOptions {
  readonly clock: Clock
  readonly outbound: Outbound
  readonly keys: VapidKeys
  /** `mailto:` or `https:` address of the operator. */
  readonly subject: string
}

export interface PushAnswer {
  readonly status: number
  readonly detail: string
  /** Milliseconds that the service asked to wait. */
  readonly after: number | undefined
}

const GONE = new Set([404, 410])
/** The message itself is wrong: too large, or not understood. */
const REFUSED = new Set([400, 406, 411, 413, 415, 422])

/** Only 404 and 410 remove the subscription: the service says that it is gone. */
function outcomeOf({ status, detail, after }: PushAnswer): Outcome {
  const code = String(status)
  if (status >= 200 && status < 300) return { kind: 'sent' }
  if (GONE.has(status)) return { code, detail, kind: 'gone' }
  if (REFUSED.has(status)) return { code, detail, kind: 'dead' }
  // 401 and 403: the service rejects the VAPID key, which the operator can repair within the hours of the back-off.
  return { code, detail, kind: 'retry', ...(after !== undefined && { after }) }
}

export function webPushProvider(options: WebPushProviderOptions): Provider<WebPushMessage> {
  const { clock, outbound } = options
  const buildRequest = createPushRequests(options)
  return {
    close: async () => {},
    async send(message, { sendId }, { signal }) {
      // The topic is the same for every attempt, so a repeated message replaces the first.
      const { body, headers } = buildRequest(message, message.payload, sendId.replaceAll('-', ''))
      const answer = await outbound.request(message.endpoint, {
        body,
        headers,
        // A push service is one origin for many browsers, and a repeated message replaces the first.
        keepAlive: true,
        method: 'POST',
        signal
      })
      if (!answer.ok) {
        const { code, detail, reached } = answer
        if (code === 'address' || code === 'forbidden') return { code, detail, kind: 'dead' }
        return { code, detail, kind: reached ? 'uncertain' : 'retry' }
      }
      const { status } = answer
      const after = parseRetryAfter(answer.headers['retry-after'], clock())
      const outcome = outcomeOf({ after, detail: answer.body.toString('utf8', 0, 500), status })
      const ref = answer.headers.location
      return outcome.kind === 'sent' && ref !== undefined ? { ...outcome, ref: ref.slice(0, 500) } : outcome
    }
  }
}

// The push service of a browser (RFC 8030): one POST through the guarded way out, and what its answers mean.
//
// The endpoint was named by a browser, so anybody can name one: no answer of a push service rests the whole lane.

import type { Config } from '../../../config/config.ts'
import type { Clock } from '../../../core/clock.ts'
import { retryAfter } from '../../../core/retry-after.ts'
import type { VapidKeys } from '../../../environments/encryption/keys.ts'
import type { Outbound } from '../../../outbound/outbound.ts'
import type { Outcome } from '../../../queue/outcome.ts'
import type { Provider } from '../../channel.ts'
import { encrypt } from './encrypt.ts'
import type { WebPushMessage } from './message.ts'
import { openVapid } from './vapid.ts'

export interface WebPushProviderOptions {
  readonly clock: Clock
  readonly config: Pick<Config, 'webPushTtl' | 'webPushUrgency'>
  readonly outbound: Outbound
  readonly keys: VapidKeys
  /** `mailto:` or `https:` address of the operator. */
  readonly subject: string
}

export interface PushAnswer {
  readonly status: number
  readonly detail: string
  /** Milliseconds that the service asked for. */
  readonly after: number | undefined
}

const GONE = new Set([404, 410])
/** Wrong as it is: too large, or not understood. */
const REFUSED = new Set([400, 406, 411, 413, 415, 422])

/** Pure: what to do about an answer. A subscription is forgotten only when its service says that it is gone. */
function outcomeOf({ status, detail, after }: PushAnswer): Outcome {
  const code = String(status)
  if (status >= 200 && status < 300) return { fate: 'sent' }
  if (GONE.has(status)) return { code, detail, fate: 'gone' }
  if (REFUSED.has(status)) return { code, detail, fate: 'dead' }
  // 401 and 403: the service does not take our VAPID key. That can be mended, within the hours of the back-off.
  return { code, detail, fate: 'retry', ...(after !== undefined && { after }) }
}

export function webPushProvider(options: WebPushProviderOptions): Provider<WebPushMessage> {
  const { clock, config, outbound } = options
  const authorization = openVapid(options)
  return {
    close: async () => {},
    async send({ endpoint, keys, payload }, { sendId }, { signal }) {
      const answer = await outbound.request(endpoint, {
        body: encrypt(Buffer.from(payload), keys),
        headers: {
          authorization: authorization(endpoint),
          'content-encoding': 'aes128gcm',
          'content-type': 'application/octet-stream',
          // A repeated try replaces a message that still waits for its browser (RFC 8030, 5.4).
          topic: sendId.replaceAll('-', ''),
          ttl: String(config.webPushTtl),
          urgency: config.webPushUrgency
        },
        // A push service is one origin for many browsers, and a message that comes twice replaces itself.
        keep: true,
        method: 'POST',
        signal
      })
      if (!answer.ok) {
        const { code, detail, reached } = answer
        if (code === 'address' || code === 'forbidden') return { code, detail, fate: 'dead' }
        return { code, detail, fate: reached ? 'uncertain' : 'retry' }
      }
      const { status, headers, body } = answer
      const after = retryAfter(headers['retry-after'], clock())
      const outcome = outcomeOf({ after, detail: body.toString('utf8', 0, 500), status })
      const ref = headers.location
      return outcome.fate === 'sent' && ref !== undefined ? { ...outcome, ref: ref.slice(0, 500) } : outcome
    }
  }
}

// Pushes by Firebase Cloud Messaging: one POST each, under an access token that all share.

import type { ServiceAccount } from '../../../config/push.ts'
import type { Clock } from '../../../core/clock.ts'
import { parseRetryAfter } from '../../../core/retry-after.ts'
import type { Outbound, OutboundResult } from '../../../outbound/outbound.ts'
import type { Outcome } from '../../../queue/outcome.ts'
import type { Provider } from '../../channel.ts'
import { objectIn } from '../../sms-call/signature.ts'
import { NoToken, openTokens } from './account.ts'
import type { FcmMessage } from './message.ts'
import { outcomeOf, refusalOf } from './outcome.ts'

export interface FcmProviderOptions {
  readonly account: ServiceAccount
  readonly clock: Clock
  /** The way to Google, whose addresses are settings. */
  readonly outbound: Outbound
  /** Of Firebase, without a path. */
  readonly url: string
}

export function fcmProvider({ account, clock, outbound, url }: FcmProviderOptions): Provider<FcmMessage> {
  const tokens = openTokens(account, clock, outbound)
  const address = `${url}/v1/projects/${encodeURIComponent(account.project_id)}/messages:send`

  const outcomeFor = (answer: OutboundResult): Outcome => {
    if (!answer.ok) {
      const { detail, reached } = answer
      return reached
        ? { code: 'no-answer', detail, kind: 'uncertain' }
        : { code: 'connect', detail, kind: 'pause' }
    }
    const { status, headers, body } = answer
    if (status >= 300)
      return outcomeOf(refusalOf(status, body, parseRetryAfter(headers['retry-after'], clock())))
    const name = objectIn(body)?.['name']
    // Something in between has answered in Firebase's place, or Firebase has changed.
    return typeof name === 'string'
      ? { kind: 'sent', ref: name }
      : { code: 'no-name', detail: 'The answer names no message.', kind: 'uncertain' }
  }

  /** @throws NoToken */
  const push = async (body: string, signal: AbortSignal, again = false): Promise<Outcome> => {
    const token = await tokens.current()
    const answer = await outbound.request(address, {
      body,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      // A message that comes twice replaces itself.
      keepAlive: true,
      method: 'POST',
      signal
    })
    const outcome = outcomeFor(answer)
    if (again || !answer.ok || answer.status !== 401 || outcome.kind !== 'pause') return outcome
    tokens.forget(token)
    return push(body, signal, true)
  }

  return {
    close: async () => {},
    async send(message, _, { signal }) {
      try {
        return await push(JSON.stringify({ message: message.body }), signal)
      } catch (error) {
        if (!(error instanceof NoToken)) throw error
        return { code: 'no-token', detail: error.message, kind: 'pause' }
      }
    }
  }
}

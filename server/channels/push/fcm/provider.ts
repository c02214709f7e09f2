// Sends pushes by Firebase Cloud Messaging: one POST for each, with an access token that they share.

import type { ServiceAccount } from '../../../config/push.ts'
import type { Clock } from '../../../core/clock.ts'
import { parseRetryAfter } from '../../../core/retry-after.ts'
import type { Outbound, OutboundResult } from '../../../outbound/outbound.ts'
import type { Outcome } from '../../../queue/outcome.ts'
import type { Provider } from '../../channel.ts'
import { parseJsonObject, toUnansweredOutcome } from '../../provider-answer.ts'
import { NoTokenError, createAccessTokens } from './account.ts'
import type { FcmMessage } from './message.ts'
import { toOutcome, readRefusal } from './outcome.ts'

export interface FcmProviderOptions {
  readonly account: ServiceAccount
  readonly clock: Clock
  /** For addresses from settings. */
  readonly outbound: Outbound
  /** Origin of Firebase, without a path. */
  readonly url: string
}

export function openFcmProvider({ account, clock, outbound, url }: FcmProviderOptions): Provider<FcmMessage> {
  const tokens = createAccessTokens(account, clock, outbound)
  const address = `${url}/v1/projects/${encodeURIComponent(account.project_id)}/messages:send`

  const readOutcome = (answer: OutboundResult): Outcome => {
    if (!answer.ok) return toUnansweredOutcome(answer)
    const { status, headers, body } = answer
    if (status >= 300)
      return toOutcome(readRefusal(status, body, parseRetryAfter(headers['retry-after'], clock())))
    const name = parseJsonObject(body)?.['name']
    return typeof name === 'string'
      ? { kind: 'sent', ref: name }
      : { code: 'no-name', detail: 'The answer contains no message name.', kind: 'uncertain' }
  }

  /** Repeats the request once with a new token if Google rejects the token. @throws NoTokenError */
  const push = async (body: string, signal: AbortSignal, isRepeated = false): Promise<Outcome> => {
    const token = await tokens.current()
    const answer = await outbound.request(address, {
      body,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      // Safe, because a repeated message replaces the first.
      keepAlive: true,
      method: 'POST',
      signal
    })
    const outcome = readOutcome(answer)
    if (isRepeated || !answer.ok || answer.status !== 401 || outcome.kind !== 'pause') return outcome
    tokens.forget(token)
    return push(body, signal, true)
  }

  return {
    async send(message, _, { signal }) {
      try {
        return await push(JSON.stringify({ message: message.body }), signal)
      } catch (error) {
        if (!(error instanceof NoTokenError)) throw error
        return { code: 'no-token', detail: error.message, kind: 'pause' }
      }
    }
  }
}

// Pushes by Firebase Cloud Messaging: one POST each, under an access token that all share.

import type { Clock } from '../../clock.ts'
import type { ServiceAccount } from '../../config/push.ts'
import type { Outcome } from '../../queue/outcome.ts'
import type { Provider } from '../channel.ts'
import { retryAfter } from '../retry-after.ts'
import { NoToken, openTokens } from './account.ts'
import { ask, type Answered } from './ask.ts'
import type { FcmMessage } from './message.ts'
import { outcomeOf, refusalOf } from './outcome.ts'

export interface FcmProviderOptions {
  readonly account: ServiceAccount
  readonly clock: Clock
  /** Of Firebase, without a path. */
  readonly url: string
}

export function fcmProvider({ account, clock, url }: FcmProviderOptions): Provider<FcmMessage> {
  const tokens = openTokens(account, clock)
  const address = `${url.replace(/\/+$/, '')}/v1/projects/${encodeURIComponent(account.project_id)}/messages:send`

  const outcomeFor = (answer: Answered): Outcome => {
    if (!answer.ok) {
      const { detail, reached } = answer
      return reached
        ? { code: 'no-answer', detail, fate: 'uncertain' }
        : { code: 'connect', detail, fate: 'pause' }
    }
    const { status, headers, body, json } = answer
    if (status !== 200)
      return outcomeOf(refusalOf(status, body, retryAfter(headers.get('retry-after'), clock())))
    const name = (Object(json) as { name?: unknown }).name
    // Something in between has answered in Firebase's place, or Firebase has changed.
    return typeof name === 'string'
      ? { fate: 'sent', ref: name }
      : { code: 'no-name', detail: 'The answer names no message.', fate: 'uncertain' }
  }

  /** @throws NoToken */
  const push = async (body: string, signal: AbortSignal, again = false): Promise<Outcome> => {
    const token = await tokens.current()
    const answer = await ask(address, {
      body,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      signal
    })
    const outcome = outcomeFor(answer)
    if (again || !answer.ok || answer.status !== 401 || outcome.fate !== 'pause') return outcome
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
        return { code: 'no-token', detail: error.message, fate: 'pause' }
      }
    }
  }
}

// Sends pushes to Apple devices over APNs, in the environment of the app.

import type { Clock } from '../../../core/clock.ts'
import { parseRetryAfter } from '../../../core/retry-after.ts'
import type { Outcome } from '../../../queue/outcome.ts'
import type { ClosableProvider } from '../../channel.ts'
import { parseJsonObject, readText, toUnansweredOutcome } from '../../provider-answer.ts'
import { NoAnswerError, openConnection, type ApnAnswer } from './connection.ts'
import type { ApnMessage } from './message.ts'
import { toOutcome, type ApnRefusal } from './outcome.ts'
import { createTokenSource, type ApnCredentials, type SharedTokenStore } from './token.ts'

export interface ApnProviderOptions extends ApnCredentials {
  readonly clock: Clock
  readonly tokenStore: SharedTokenStore
  /** Bundle id of the app. */
  readonly topic: string
  readonly urls: Readonly<Record<'production' | 'sandbox', string>>
}

interface Push {
  readonly message: ApnMessage
  readonly id: string
  readonly signal: AbortSignal
}

export function openApnProvider({
  clock,
  tokenStore,
  topic,
  urls,
  ...credentials
}: ApnProviderOptions): ClosableProvider<ApnMessage> {
  const tokens = createTokenSource(credentials, clock, tokenStore)
  const connections = {
    production: openConnection(urls.production),
    sandbox: openConnection(urls.sandbox)
  }

  const readRefusal = ({ status, headers, body }: ApnAnswer): ApnRefusal => {
    const json = parseJsonObject(body)
    const timestamp = json?.['timestamp']
    return {
      reason: readText(json, 'reason'),
      retryAfterMs: parseRetryAfter(headers['retry-after'] as string | undefined, clock()),
      status,
      timestamp: typeof timestamp === 'number' ? timestamp : undefined
    }
  }

  /** Repeats the request once with a new token if Apple calls the token expired. @throws NoAnswerError */
  const request = async (
    environment: 'production' | 'sandbox',
    { message, id, signal }: Push,
    renewedToken?: string
  ): Promise<ApnAnswer> => {
    const token = renewedToken ?? (await tokens.current())
    const headers = {
      ...message.headers,
      ':path': `/3/device/${encodeURIComponent(message.token)}`,
      'apns-id': id,
      'apns-topic': topic,
      authorization: `bearer ${token}`,
      'content-type': 'application/json'
    }
    const answer = await connections[environment].request(headers, message.payload, signal)
    const isExpired = answer.status === 403 && readRefusal(answer).reason === 'ExpiredProviderToken'
    if (!isExpired || renewedToken !== undefined) return answer
    return request(environment, { id, message, signal }, await tokens.renew(token))
  }

  const send = async (push: Push): Promise<Outcome> => {
    const { environment = 'production' } = push.message
    let answer = await request(environment, push)
    // Apps may register a development build as production, and Apple answers the same to the wrong environment and a wrong token.
    if (answer.status === 400 && readRefusal(answer).reason === 'BadDeviceToken') {
      answer = await request(environment === 'production' ? 'sandbox' : 'production', push)
    }
    if (answer.status === 200) return { kind: 'sent', ref: String(answer.headers['apns-id'] ?? push.id) }
    return toOutcome(readRefusal(answer))
  }

  return {
    async close() {
      await Promise.all([connections.production.close(), connections.sandbox.close()])
    },
    async send(message, { id }, { signal }) {
      try {
        return await send({ id, message, signal })
      } catch (error) {
        if (!(error instanceof NoAnswerError)) throw error
        const { message: detail, hasReachedServer } = error
        return toUnansweredOutcome({ detail, hasReachedServer })
      }
    }
  }
}

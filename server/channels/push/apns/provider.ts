// Pushes to Apple devices: each in the environment of its app, by the operator's key.

import type { Clock } from '../../../core/clock.ts'
import { parseRetryAfter } from '../../../core/retry-after.ts'
import type { Outcome } from '../../../queue/outcome.ts'
import type { Provider } from '../../channel.ts'
import { NoAnswer, openConnection, type ApnAnswer } from './connection.ts'
import type { ApnMessage } from './message.ts'
import { outcomeOf, type ApnRefusal } from './outcome.ts'
import { openToken, type ApnCredentials, type Shelf } from './token.ts'

export interface ApnProviderOptions extends ApnCredentials {
  readonly clock: Clock
  readonly shelf: Shelf
  /** Bundle id of the app. */
  readonly topic: string
  readonly urls: Readonly<Record<'production' | 'sandbox', string>>
}

interface Said {
  readonly reason?: unknown
  readonly timestamp?: unknown
}

function saidIn(body: string): Said {
  try {
    return Object(JSON.parse(body)) as Said
  } catch {
    return {}
  }
}

export function apnProvider({
  clock,
  shelf,
  topic,
  urls,
  ...credentials
}: ApnProviderOptions): Provider<ApnMessage> {
  const token = openToken(credentials, clock, shelf)
  const connections = {
    production: openConnection(urls.production),
    sandbox: openConnection(urls.sandbox)
  }

  const refusalOf = ({ status, headers, body }: ApnAnswer): ApnRefusal => {
    const { reason, timestamp } = saidIn(body)
    return {
      after: parseRetryAfter(headers['retry-after'] as string | undefined, clock()),
      reason: typeof reason === 'string' ? reason : '',
      status,
      timestamp: typeof timestamp === 'number' ? timestamp : undefined
    }
  }

  type Push = { readonly message: ApnMessage; readonly id: string; readonly signal: AbortSignal }

  /** @throws NoAnswer */
  const push = async (
    environment: 'production' | 'sandbox',
    { message, id, signal }: Push,
    renewed?: string
  ): Promise<ApnAnswer> => {
    const bearer = renewed ?? (await token.current())
    const headers = {
      ...message.headers,
      ':path': `/3/device/${encodeURIComponent(message.token)}`,
      'apns-id': id,
      'apns-topic': topic,
      authorization: `bearer ${bearer}`,
      'content-type': 'application/json'
    }
    const answer = await connections[environment].request(headers, message.payload, signal)
    if (renewed || answer.status !== 403 || refusalOf(answer).reason !== 'ExpiredProviderToken') return answer
    return push(environment, { id, message, signal }, await token.renew(bearer))
  }

  const tryPush = async (one: Push): Promise<Outcome> => {
    const { environment = 'production' } = one.message
    let answer = await push(environment, one)
    // Apps forget to say that they are a development build, and Apple's word for that is the same as for nonsense.
    if (answer.status === 400 && refusalOf(answer).reason === 'BadDeviceToken') {
      answer = await push(environment === 'production' ? 'sandbox' : 'production', one)
    }
    if (answer.status === 200) return { kind: 'sent', ref: String(answer.headers['apns-id'] ?? one.id) }
    return outcomeOf(refusalOf(answer))
  }

  return {
    async close() {
      await Promise.all([connections.production.close(), connections.sandbox.close()])
    },
    async send(message, { id }, { signal }) {
      try {
        return await tryPush({ id, message, signal })
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error
        const { message: detail, reached } = error
        return reached
          ? { code: 'no-answer', detail, kind: 'uncertain' }
          : { code: 'connect', detail, kind: 'pause' }
      }
    }
  }
}

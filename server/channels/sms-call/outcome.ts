// Sends requests to the providers of SMS and calls, and decides what their answers mean.

import { parseRetryAfter } from '../../core/retry-after.ts'
import type { OutboundResult } from '../../outbound/outbound.ts'
import type { Outcome } from '../../queue/outcome.ts'
import { isAboutAccount, parseJsonObject, type JsonObject } from '../provider-answer.ts'
import type { PhoneContext } from './phone-provider.ts'

/** Reads the answers of one provider. Both functions return undefined if another server answered. */
export interface AnswerReader {
  /** Reads the provider's id of an accepted message. `body` is undefined if the answer is no JSON object. */
  readonly ref: (body: JsonObject | undefined, text: string) => string | undefined
  readonly error: (body: JsonObject) => { readonly code: string; readonly detail: string } | undefined
  /** Error codes about the account or the network that pass. */
  readonly passingCodes?: ReadonlySet<string>
  /** Error codes with which the provider refuses the account in an answer with another status than 401 or 403. */
  readonly accountCodes?: ReadonlySet<string>
  /** Error codes about the sending number, which a template may give: the message is retried. */
  readonly senderCodes?: ReadonlySet<string>
}

const MAX_REF_CHARACTERS = 200

/** The error of the provider counts first, then the status. */
export function toOutcome(result: OutboundResult, reader: AnswerReader, now: number): Outcome {
  if (!result.ok) {
    const { code, detail, hasReachedServer } = result
    return { code, detail, kind: hasReachedServer ? 'uncertain' : 'pause' }
  }
  const { body, headers, status } = result
  const json = parseJsonObject(body)
  if (status >= 200 && status < 300) {
    const ref = reader.ref(json, body.toString())
    if (ref) return { kind: 'sent', ref: ref.slice(0, MAX_REF_CHARACTERS) }
    return { code: 'unreadable', detail: `Status ${status} without an id.`, kind: 'uncertain' }
  }
  const error = json && reader.error(json)
  const { code, detail } = error ?? { code: String(status), detail: `Status ${status}.` }
  const retryAfterMs = parseRetryAfter(headers['retry-after'], now)
  const isPaused = isAboutAccount(status) || status === 429 || reader.accountCodes?.has(code)
  if (isPaused) return { code, detail, kind: 'pause', retryAfterMs }
  // A gateway answered, which does not know whether the provider accepted the message.
  const isUncertain = status === 408 || (status >= 500 && status !== 503 && !error)
  if (isUncertain) return { code, detail, kind: 'uncertain' }
  const isPassing = status >= 500 || reader.passingCodes?.has(code) || reader.senderCodes?.has(code)
  return isPassing ? { code, detail, kind: 'retry', retryAfterMs } : { code, detail, kind: 'dead' }
}

export interface ProviderRequest {
  readonly url: string
  readonly authorization: string
  /** Sent as a form or as JSON. */
  readonly body: object | URLSearchParams
  readonly signal: AbortSignal
}

export async function postToProvider(
  { clock, provider }: Pick<PhoneContext, 'clock' | 'provider'>,
  reader: AnswerReader,
  { authorization, body, signal, url }: ProviderRequest
): Promise<Outcome> {
  const isForm = body instanceof URLSearchParams
  const result = await provider.request(url, {
    body: isForm ? body.toString() : JSON.stringify(body),
    headers: {
      authorization,
      'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json'
    },
    method: 'POST',
    signal
  })
  return toOutcome(result, reader, clock())
}

export const basicAuthorization = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

// Outcomes of HTTP requests that do not depend on the provider: no answer, or an answer of another server.

import type { OutboundResult } from '../outbound/outbound.ts'
import type { Outcome } from '../queue/outcome.ts'

export type JsonObject = Readonly<Record<string, unknown>>

/** @returns undefined if the text is no JSON object, such as the HTML page of a proxy */
export function parseJsonObject(text: string | Buffer): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(String(text))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : undefined
  } catch {
    return undefined
  }
}

/** @returns a text or number as text, or `''` */
export const readText = (object: JsonObject | undefined, key: string): string => {
  const value = object?.[key]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

type Unanswered = Pick<Extract<OutboundResult, { readonly ok: false }>, 'detail' | 'hasReachedServer'>

/** The server of the provider did not answer. Without a connection no other message can be sent either, so the queue is paused. */
export const toUnansweredOutcome = ({ detail, hasReachedServer }: Unanswered) =>
  hasReachedServer
    ? ({ code: 'no-answer', detail, kind: 'uncertain' } as const)
    : ({ code: 'connect', detail, kind: 'pause' } as const)

/** An address from a browser or a user did not answer. That says nothing about other messages. */
export const toUnansweredAddressOutcome = ({
  code,
  detail,
  hasReachedServer
}: Extract<OutboundResult, { readonly ok: false }>) => {
  const isRefused = code === 'address' || code === 'forbidden'
  const kind: Extract<Outcome['kind'], 'dead' | 'uncertain' | 'retry'> = isRefused
    ? 'dead'
    : hasReachedServer
      ? 'uncertain'
      : 'retry'
  return { code, detail, kind } as const
}

/** Statuses about the account or the address of the API, whatever the message is. */
const ACCOUNT_STATUSES = new Set([401, 402, 403, 404, 405, 407])

/** Whether the answer concerns every message: the account is wrong, or another server answered. */
export const isAboutAccount = (status: number): boolean => status < 400 || ACCOUNT_STATUSES.has(status)

/**
 * Classifies the status of an answer that does not have the format of the provider. A filtering proxy answers 403 or 405 to the
 * content of a single message, so these statuses must not pause the queue. If all messages fail, the circuit breaker pauses it.
 *
 * @returns undefined if the status means the same as in an answer of the provider
 */
export const classifyForeignStatus = (status: number): 'pause' | 'retry' | undefined => {
  if (status === 403 || status === 405) return 'retry'
  return isAboutAccount(status) ? 'pause' : undefined
}

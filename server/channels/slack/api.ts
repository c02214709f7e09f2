// Calls methods of Slack's Web API, and posts to incoming webhooks.

import type { Clock } from '../../core/clock.ts'
import { parseRetryAfter } from '../../core/retry-after.ts'
import type { Outbound, OutboundResult } from '../../outbound/outbound.ts'
import {
  classifyForeignStatus,
  parseJsonObject,
  readText,
  toUnansweredAddressOutcome,
  toUnansweredOutcome,
  type JsonObject
} from '../provider-answer.ts'
import { toOutcome, type FailedOutcome } from './outcome.ts'

export type SlackResult =
  | { readonly ok: true; readonly json: JsonObject }
  | { readonly ok: false; readonly outcome: FailedOutcome }

export interface SlackApi {
  /** @param args - an object is sent as JSON, which only methods that write accept; all methods accept a form */
  call(
    method: string,
    token: string,
    args: object | URLSearchParams,
    signal: AbortSignal
  ): Promise<SlackResult>
}

/** A page of members. */
const MAX_ANSWER_BYTES = 4_000_000

type Answer = Extract<OutboundResult, { readonly ok: true }>

const fail = (outcome: FailedOutcome): SlackResult => ({ ok: false, outcome })

const failWithCode = ({ headers, status }: Answer, text: string, clock: Clock): SlackResult => {
  const code = /^[a-z][a-z_]{2,60}$/.test(text) ? text : `http-${status}`
  return fail(toOutcome({ code, retryAfterMs: parseRetryAfter(headers['retry-after'], clock()), status }))
}

export const openSlackApi = (url: string, outbound: Outbound, clock: Clock): SlackApi => ({
  async call(method, token, args, signal) {
    const isForm = args instanceof URLSearchParams
    const answer = await outbound.request(`${url}/${method}`, {
      body: isForm ? String(args) : JSON.stringify(args),
      budget: { left: MAX_ANSWER_BYTES },
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json; charset=utf-8'
      },
      method: 'POST',
      signal
    })
    if (!answer.ok) return fail(toUnansweredOutcome(answer))
    const { status } = answer
    const json = parseJsonObject(answer.body) ?? {}
    if (json['ok'] === true) return { json, ok: true }
    const error = readText(json, 'error')
    if (error !== '') return failWithCode(answer, error, clock)
    const detail = `Status ${status}, but not in the format of Slack. Check NOTIF_SLACK_URL.`
    if (status < 300) return fail({ code: 'no-answer', detail, kind: 'uncertain' })
    const kind = classifyForeignStatus(status)
    if (kind) return fail({ code: `http-${status}`, detail, kind })
    return failWithCode(answer, status === 429 ? 'ratelimited' : '', clock)
  }
})

/** The address belongs to one user, so no failure pauses the queue. @param guarded - the guarded HTTP client */
export async function postToWebhook(
  guarded: Outbound,
  clock: Clock,
  url: string,
  body: object,
  signal: AbortSignal
): Promise<SlackResult> {
  const answer = await guarded.request(url, {
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json; charset=utf-8' },
    method: 'POST',
    signal
  })
  if (!answer.ok) return fail(toUnansweredAddressOutcome(answer))
  return answer.status === 200 ? { json: {}, ok: true } : failWithCode(answer, answer.body.toString(), clock)
}

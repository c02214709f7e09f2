// One call of Slack's Web API, and one post to an incoming webhook: an answer, or what follows from there being none.

import type { Clock } from '../../core/clock.ts'
import { parseRetryAfter } from '../../core/retry-after.ts'
import type { Outbound, OutboundResult } from '../../outbound/outbound.ts'
import { fateElsewhere } from '../sms-call/provider-answer.ts'
import { outcomeOf, type Refused } from './outcome.ts'

export type Answered =
  | { readonly ok: true; readonly json: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly outcome: Refused }

export interface SlackApi {
  /** @param args - an object goes as JSON, which Slack takes where something is written, and a form everywhere else */
  call(method: string, token: string, args: object | URLSearchParams, signal: AbortSignal): Promise<Answered>
}

/** Bytes of one answer: a page of members. */
const BYTES = 4_000_000

type Reached = Extract<OutboundResult, { readonly ok: true }>

const jsonOf = (body: Buffer): Readonly<Record<string, unknown>> => {
  try {
    return Object(JSON.parse(body.toString())) as Record<string, unknown>
  } catch {
    return {}
  }
}

const refused = ({ headers, status }: Reached, word: string, clock: Clock): Answered => {
  const code = /^[a-z][a-z_]{2,60}$/.test(word) ? word : `http-${status}`
  return {
    ok: false,
    outcome: outcomeOf({ after: parseRetryAfter(headers['retry-after'], clock()), code, status })
  }
}

export const slackApi = (url: string, outbound: Outbound, clock: Clock): SlackApi => ({
  async call(method, token, args, signal) {
    const form = args instanceof URLSearchParams
    const answer = await outbound.request(`${url}/${method}`, {
      body: form ? String(args) : JSON.stringify(args),
      budget: { left: BYTES },
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json; charset=utf-8'
      },
      method: 'POST',
      signal
    })
    if (!answer.ok) {
      const { detail, reached } = answer
      return reached
        ? { ok: false, outcome: { code: 'no-answer', detail, kind: 'uncertain' } }
        : { ok: false, outcome: { code: 'connect', detail, kind: 'pause' } }
    }
    const json = jsonOf(answer.body)
    if (json['ok'] === true) return { json, ok: true }
    if (answer.status < 300 && typeof json['error'] !== 'string') {
      const detail = 'The answer is not one of Slack.'
      return { ok: false, outcome: { code: 'no-answer', detail, kind: 'uncertain' } }
    }
    const kind = typeof json['error'] === 'string' ? undefined : fateElsewhere(answer.status)
    if (kind) {
      const detail = `The answer is not one of Slack, which calls for a look at NOTIF_SLACK_URL: status ${answer.status}.`
      return { ok: false, outcome: { code: `http-${answer.status}`, detail, kind } }
    }
    const limited = answer.status === 429 ? 'ratelimited' : ''
    return refused(answer, typeof json['error'] === 'string' ? json['error'] : limited, clock)
  }
})

/** The address came from outside, so whatever is wrong with it holds up no other message. @param guarded - the way out */
export async function postToHook(
  guarded: Outbound,
  clock: Clock,
  url: string,
  body: object,
  signal: AbortSignal
): Promise<Answered> {
  const answer = await guarded.request(url, {
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json; charset=utf-8' },
    method: 'POST',
    signal
  })
  if (answer.ok) {
    return answer.status === 200 ? { json: {}, ok: true } : refused(answer, answer.body.toString(), clock)
  }
  const { code, detail, reached } = answer
  if (code === 'forbidden' || code === 'address')
    return { ok: false, outcome: { code, detail, kind: 'dead' } }
  return { ok: false, outcome: { code, detail, kind: reached ? 'uncertain' : 'retry' } }
}

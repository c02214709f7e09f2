// What Slack answers, and what follows for the message and the queue.

import type { Outcome } from '../../queue/outcome.ts'

export type Refused = Exclude<Outcome, { readonly kind: 'sent' | 'gone' | 'forwarded' | 'late' }>

export interface Refusal {
  /** Slack's own word, or `http-` and the status. */
  readonly code: string
  readonly status: number
  /** Milliseconds that Slack asked for. */
  readonly after: number | undefined
}

/** Slack as a whole is down: no message fares better. */
const DOWN = new Set(['service_unavailable'])
const LATER = new Set(['internal_error', 'rate_limited', 'ratelimited', 'request_timeout', 'rollup_error'])

/** What people can do about it. */
const HINTS: Readonly<Record<string, string>> = {
  account_inactive: 'The connection was taken back in Slack: connect the user again.',
  channel_not_found: 'Slack knows no such channel, or its bot is not invited.',
  invalid_auth: 'The connection is not valid: connect the user again.',
  is_archived: 'The channel is archived.',
  not_in_channel: 'The bot is not in the channel: invite it.',
  token_expired: 'The connection has expired: connect the user again.',
  token_revoked: 'The connection was taken back in Slack: connect the user again.'
}

/** Pure. A limit is that of one workspace or channel, so it holds up no other message. */
export function outcomeOf({ after, code, status }: Refusal): Refused {
  const said = {
    code,
    detail: HINTS[code] ?? `Slack answered ${code}.`,
    ...(after !== undefined && { after })
  }
  if (DOWN.has(code)) return { ...said, kind: 'pause' }
  // By Slack's own word some of it may have been done.
  if (code === 'fatal_error') return { ...said, kind: 'uncertain' }
  if (status === 429 || status >= 500 || LATER.has(code)) return { ...said, kind: 'retry' }
  return { ...said, kind: 'dead' }
}

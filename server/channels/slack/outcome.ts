// Decides what an error of Slack means for the message and the queue.
//
// https://api.slack.com/methods/chat.postMessage#errors, https://api.slack.com/docs/rate-limits

import type { Outcome } from '../../queue/outcome.ts'

export type FailedOutcome = Exclude<Outcome, { readonly kind: 'sent' | 'gone' | 'forwarded' | 'late' }>

export interface SlackError {
  /** Error code of Slack, or `http-` and the status. */
  readonly code: string
  readonly status: number
  readonly retryAfterMs: number | undefined
}

const PASSING_CODES = new Set([
  'internal_error',
  'rate_limited',
  'ratelimited',
  'request_timeout',
  'rollup_error'
])

/**
 * The connection of the user is refused. The messages wait, because the user may connect again. Each user has a connection, so the
 * queue is paused only if many are refused, as after a change of the app.
 */
export const CONNECTION_CODES: ReadonlySet<string> = new Set([
  'account_inactive',
  'invalid_auth',
  'not_authed',
  'org_login_required',
  'team_access_not_granted',
  'token_expired',
  'token_revoked'
])

/** What the operator or the user can do. */
const REPAIRS: Readonly<Record<string, string>> = {
  account_inactive: 'The connection was revoked in Slack. Connect the user again.',
  channel_not_found: 'The Slack channel does not exist, or the bot is not in it. Invite the bot.',
  invalid_auth: 'The connection is not valid. Connect the user again.',
  is_archived: 'The Slack channel is archived.',
  not_in_channel: 'The bot is not in the Slack channel. Invite it.',
  token_expired: 'The connection has expired. Connect the user again.',
  token_revoked: 'The connection was revoked in Slack. Connect the user again.'
}

/** A rate limit belongs to one workspace or channel, so it does not pause the queue. */
export function toOutcome({ code, retryAfterMs, status }: SlackError): FailedOutcome {
  const failure = { code, detail: REPAIRS[code] ?? `Slack answered ${code}.` }
  if (code === 'service_unavailable') return { ...failure, kind: 'pause', retryAfterMs }
  // Slack may have done a part of the work.
  if (code === 'fatal_error') return { ...failure, kind: 'uncertain' }
  if (status === 429 || status >= 500 || PASSING_CODES.has(code) || CONNECTION_CODES.has(code))
    return { ...failure, kind: 'retry', retryAfterMs }
  return { ...failure, kind: 'dead' }
}

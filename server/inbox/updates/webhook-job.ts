// Sends queued webhooks to the back ends of their environments, and tells the items what became of their buttons.

import { parseJson, type ItemOutcome } from '#protocol'

import { parseRetryAfter } from '../../core/retry-after.ts'
import type { DatabaseGroup } from '../../db/db.ts'
import { transact } from '../../db/transact.ts'
import type { OutboundResult } from '../../outbound/outbound.ts'
import { webhookHeaders } from '../../outbound/standard-webhook.ts'
import type { Context } from '../../process/context.ts'
import { MAX_ATTEMPTS } from '../../queue/backoff.ts'
import { toStorableText } from '../../queue/finish.sql.ts'
import type { ClaimedRow } from '../../queue/outbox.sql.ts'
import type { Dead, MessageContent, Retry, Sent } from '../../queue/outcome.ts'
import type { DeliveryJob } from '../../queue/queue-job.ts'
import { changeContent, readContent } from './change-item.sql.ts'
import { WEBHOOK_ATTEMPTS, webhookSecret, type WebhookBody } from './webhook.ts'

const CONCURRENCY = 20
const TIMEOUT_MS = 15_000
/** Of the answer of a back end, shown in the row. */
const MAX_TEXT_CHARACTERS = 200
/** Of the answer of a back end; it needs one short text. */
const MAX_ANSWER_BYTES = 16 * 1024

/** The back end understood the webhook and refuses it, so it would refuse it again. */
const REFUSED_STATUSES = new Set([400, 403, 409, 410, 422])

type WebhookContext = Pick<Context, 'clock' | 'environments' | 'live' | 'outbound'>

/** @param clock - of the machine, because the receiver compares the signed time with its own */
export const webhookJob = (context: WebhookContext): DeliveryJob => ({
  beforeDeadLetter: (row, group) => settlePending(context, group, row),
  concurrency: CONCURRENCY,
  hasSeparateProviders: true,
  kind: 'delivery',
  prepare:
    (_rows, group) =>
    async (row, { isTooLate, signal }) => {
      const body = row.body as unknown as WebhookBody
      const { envId, id } = row
      const environment = await context.environments.get(envId)
      const url = environment?.settings.webhook?.url
      if (!environment || url === undefined) {
        return {
          code: 'no-webhook',
          content: toLoggedContent(body),
          detail: 'The environment has no webhook.',
          kind: 'dead'
        }
      }
      const content = await readContent(group.sql, row, body.trackingId)
      const now = context.clock()
      const message = toMessage(row, body, content?.parameters)
      const secrets = environment.secrets.map(webhookSecret)
      if (isTooLate()) return { kind: 'late' }
      const result = await context.outbound.request(url, {
        body: message,
        budget: { left: MAX_ANSWER_BYTES },
        headers: webhookHeaders(id, message, secrets, now),
        method: 'POST',
        signal
      })
      const isLast = row.attemptsLeft <= MAX_ATTEMPTS - WEBHOOK_ATTEMPTS
      const outcome = { ...toOutcome(result, now, isLast), content: toLoggedContent(body) }
      // Before the row is finished: after a crash in between, the webhook is repeated with the same id.
      const text = readAnswerText(result)
      if (outcome.kind === 'sent') await settle(context, group, row, { state: 'done', text })
      if (outcome.kind === 'dead') await settle(context, group, row, { state: 'failed', text })
      return outcome
    },
  queue: 'WEBHOOK',
  timeoutMs: TIMEOUT_MS,
  whenUncertain: 'retry'
})

const toMessage = (
  { userId }: ClaimedRow,
  { at, notificationId, type, ...event }: WebhookBody,
  parameters: Readonly<Record<string, unknown>> | undefined
): string =>
  JSON.stringify({
    data: { ...event, at, type: notificationId, userId, ...(parameters && { parameters }) },
    timestamp: at,
    type
  })

/** The text of a reply stands in the inbox of the user, and is not repeated in the log. */
const toLoggedContent = (body: WebhookBody): MessageContent => ({
  subject: body.type,
  text: body.type === 'item.action' ? body.actionId : ''
})

function toOutcome(result: OutboundResult, now: number, isLast: boolean): Sent | Retry | Dead {
  if (!result.ok) {
    const { code, detail } = result
    const isRefused = code === 'address' || code === 'forbidden'
    return { code, detail, kind: isRefused || isLast ? 'dead' : 'retry' }
  }
  const { headers, status } = result
  if (status >= 200 && status < 300) return { kind: 'sent' }
  const failure = { code: String(status), detail: `The back end answered with status ${status}.` }
  if (isLast || REFUSED_STATUSES.has(status)) return { ...failure, kind: 'dead' }
  return { ...failure, kind: 'retry', retryAfterMs: parseRetryAfter(headers['retry-after'], now) }
}

/** Returns `text` of a JSON answer, if there is one. */
function readAnswerText(result: OutboundResult): string | undefined {
  const answer = result.ok ? parseJson(result.body.toString()) : undefined
  const isText = typeof answer === 'object' && answer !== null && 'text' in answer
  const text = isText && typeof answer.text === 'string' ? answer.text.trim() : ''
  return text === '' ? undefined : toStorableText(text.slice(0, MAX_TEXT_CHARACTERS))
}

/**
 * Stores that a webhook failed whose attempts came to no result, so that the user can press its button again. A button that was
 * pressed again by now has a later time.
 */
async function settlePending(context: WebhookContext, group: DatabaseGroup, row: ClaimedRow): Promise<void> {
  const { at } = row.body as unknown as WebhookBody
  await settle(context, group, row, {
    isReplaced: before => before.state === 'pending' && before.at === at,
    state: 'failed'
  })
}

interface Settlement {
  readonly state: ItemOutcome['state']
  readonly text?: string | undefined
  /** Default: whether it is not `done`. */
  readonly isReplaced?: (before: ItemOutcome) => boolean
}

/** Stores the result of a button, unless it has another one by now. */
async function settle(
  { clock, live }: WebhookContext,
  group: DatabaseGroup,
  row: ClaimedRow,
  { isReplaced = ({ state }) => state !== 'done', state, text }: Settlement
): Promise<void> {
  const body = row.body as unknown as WebhookBody
  if (body.type !== 'item.action') return
  const { actionId, trackingId } = body
  const at = new Date(clock()).toISOString()
  const changed = await transact(group, tx =>
    changeContent(tx, row, trackingId, content =>
      content.outcome?.actionId === actionId && isReplaced(content.outcome)
        ? { content: { ...content, outcome: { actionId, at, state, ...(text !== undefined && { text }) } } }
        : undefined
    )
  )
  if (changed?.event) live.publish([changed.event])
}

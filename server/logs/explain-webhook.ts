// Explains the webhooks that buttons and replies of an in-app notification sent to the back end. Pure.

import type { WebhookExplanation } from '../client/logs.ts'
import { WEBHOOK_ATTEMPTS } from '../inbox/updates/webhook.ts'
import { MAX_ATTEMPTS } from '../queue/backoff.ts'
import { isoTimeOfId, type AttemptFacts, type FollowerFacts, type WebhookFacts } from './delivery-facts.ts'
import { explainState } from './explain-delivery.ts'

/** Oldest first. */
export function explainWebhooks(facts: FollowerFacts): WebhookExplanation[] {
  const { attempts, deadLetters, queued } = facts
  const ids = new Set([
    ...attempts.map(attempt => attempt.deliveryId),
    ...[...queued, ...deadLetters].map(row => row.id)
  ])
  return [...ids].toSorted().map(id => explainWebhook(id, facts))
}

function explainWebhook(id: string, { attempts, deadLetters, queued }: FollowerFacts): WebhookExplanation {
  const own = attempts.filter(({ deliveryId }) => deliveryId === id)
  const row = queued.find(one => one.id === id)
  const letter = deadLetters.find(one => one.id === id)
  const event = row?.webhook ?? letter?.webhook ?? readLoggedEvent(own)
  const { attemptsLeft, explanation, ...state } = explainState(id, own, row, letter, 'back end')
  return {
    ...state,
    at: isoTimeOfId(id),
    explanation: `${describeEvent(event)} at ${isoTimeOfId(id)}. ${explanation}`,
    ...(attemptsLeft !== undefined && {
      attemptsLeft: Math.max(0, attemptsLeft - (MAX_ATTEMPTS - WEBHOOK_ATTEMPTS))
    }),
    ...(event && { event: event.type }),
    ...(typeof event?.actionId === 'string' && { actionId: event.actionId })
  }
}

/** The log has it beside the last attempt (server/inbox/updates/webhook-job.ts). */
function readLoggedEvent(attempts: readonly AttemptFacts[]): WebhookFacts | undefined {
  const last = attempts.findLast(({ subject }) => typeof subject === 'string')
  return last && { type: last.subject!, ...(last.content && { actionId: last.content }) }
}

function describeEvent(event: WebhookFacts | undefined): string {
  if (event?.type === 'item.reply') return 'The user replied'
  return event?.actionId ? `The button ${JSON.stringify(event.actionId)} was pressed` : 'The user acted'
}

// Explains how the pushes of a send were closed, because its in-app notification was read. Pure.

import type { PushClosing } from '../client/logs.ts'
import { CLOSED } from '../send/after-read/close-body.ts'
import { isoTimeOfId, type AttemptFacts, type DeliveryFacts, type QueuedFacts } from './delivery-facts.ts'
import { formatReason } from './explain-delivery.ts'

/** Of phones: one for each. */
export const explainClosings = ({ closings }: DeliveryFacts): PushClosing[] => [
  ...(closings?.attempts ?? []).map(explainEnd),
  ...(closings?.queued ?? []).map(explainWait)
]

function explainEnd({ code, deliveryId: id, detail, id: attemptId, outcome }: AttemptFacts): PushClosing {
  const at = isoTimeOfId(attemptId)
  if (outcome === CLOSED) {
    const explanation = `A phone was told to close it at ${at}, because the in-app notification was read.`
    return { at, explanation, id, state: 'closed' }
  }
  return {
    at,
    code: code ?? outcome,
    explanation: `A phone could not be told to close it (${formatReason(code ?? outcome, detail)}).`,
    id,
    state: 'failed'
  }
}

function explainWait({ id, runAt }: QueuedFacts): PushClosing {
  const nextAt = runAt.toISOString()
  const explanation = `A phone is told to close it at ${nextAt}, because the in-app notification was read.`
  return { explanation, id, nextAt, state: 'waiting' }
}

/** Of browsers, the server does not know what they show. @returns nothing before the item is read */
export function explainReadPush({ item }: DeliveryFacts): string[] {
  const readAt = item?.openedAt ?? item?.archivedAt
  return readAt
    ? [
        `The in-app notification was read at ${readAt.toISOString()}: a browser closes the push when a page of the app is open, or with the next push.`
      ]
    : []
}

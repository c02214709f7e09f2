// Converts delivery facts to a log record: the flat fields of legacy clients and the nested `channels`.

import type { ChannelExplanation, LogRecord } from '../client/logs.ts'
import { CONTENT_FIELDS } from '../types/templates/content.ts'
import { isoTimeOfId, type DeliveryFacts } from './delivery-facts.ts'
import { isFailure } from './explain-delivery.ts'
import { explainChannels, sendStatus } from './explain.ts'
import type { Column } from './query/custom-filter.ts'
import type { Path } from './query/fields.ts'
import { ignoredLabel, statusLabels } from './status-labels.ts'

const INLINE_NAMES: Readonly<Record<string, string>> = CONTENT_FIELDS

export function toLogRecord(facts: DeliveryFacts): LogRecord {
  const { send } = facts
  const channels = explainChannels(facts)
  const to = (send.body['to'] ?? {}) as Readonly<Record<string, string | undefined>>
  const ignored = ignoredLabel(Object.values(send.decisions))
  const scheduled = send.body['schedule']
  return {
    trackingId: send.id,
    clientId: send.envId,
    envId: send.envId,
    type: send.type,
    ...(send.subId !== '' && { subNotificationId: send.subId }),
    received_at: isoTimeOfId(send.id),
    status: sendStatus(channels, facts.queued.length > 0),
    user_id: send.userId,
    ...(to['email'] !== undefined && { user_email: to['email'] }),
    ...(to['number'] !== undefined && { user_number: to['number'] }),
    ...(typeof scheduled === 'string' && { scheduled_for: scheduled }),
    ...(typeof send.body['broadcastId'] === 'string' && { broadcastId: send.body['broadcastId'] }),
    ...(typeof send.body['resendOf'] === 'string' && { resendOf: send.body['resendOf'] }),
    ...(ignored !== undefined && { ignored }),
    request: JSON.stringify(send.body),
    messages: send.warnings,
    ...Object.assign({}, ...channels.map(channel => flatFields(facts, channel))),
    channels
  } as LogRecord
}

/** The time of the last decision: when the send was accepted, or when its schedule was due. ISO 8601. */
export function decidedAt({ send, queued }: DeliveryFacts): string {
  const received = isoTimeOfId(send.id)
  const { schedule } = send.body
  const isDue = typeof schedule === 'string' && !queued.some(({ queue }) => queue === 'SCHEDULE')
  return isDue && Date.parse(schedule) > Date.parse(received) ? schedule : received
}

/** @returns `email_routing` and the other flat fields of a channel */
function flatFields(
  facts: DeliveryFacts,
  { channel, decision, deliveries, receipts, state }: ChannelExplanation
) {
  const prefix = INLINE_NAMES[channel] ?? channel.toLowerCase()
  const { failed, reason, routing } = statusLabels(decision)
  const { item, send } = facts
  const received = isoTimeOfId(send.id)
  const decided = decidedAt(facts)
  const attempts = deliveries.flatMap(delivery => delivery.attempts)
  const sentAt =
    channel === 'INAPP_WEB' && state === 'sent'
      ? item
        ? new Date(item.at).toISOString()
        : decided
      : attempts.findLast(one => one.outcome === 'sent')?.at
  // Legacy clients read a missing address in these fields.
  const hasFailed = state === 'failed' || failed !== undefined
  const failedAt = hasFailed ? (attempts.findLast(one => isFailure(one.outcome))?.at ?? decided) : undefined
  const delivered = receipts?.find(one => one.outcome === 'delivered')
  const undelivered = receipts?.find(one => one.outcome === 'undelivered')
  const code = failed ?? deliveries.find(delivery => delivery.state === 'failed')?.code
  return {
    [`${prefix}_routing`]: routing,
    ...(reason !== undefined && { [`${prefix}_routing_reason`]: reason }),
    ...(sentAt !== undefined && {
      [`${prefix}_sent_at`]: sentAt,
      [`${prefix}_sent_after`]: Date.parse(sentAt) - Date.parse(received)
    }),
    ...(delivered && {
      [`${prefix}_delivered_at`]: delivered.at,
      [`${prefix}_delivered_after`]: Date.parse(delivered.at) - Date.parse(received)
    }),
    ...(undelivered && {
      [`${prefix}_undelivered_at`]: undelivered.at,
      [`${prefix}_undelivered_code`]: undelivered.code
    }),
    ...(failedAt !== undefined && { [`${prefix}_failed_at`]: failedAt }),
    ...(failedAt !== undefined && code !== undefined && { [`${prefix}_failed_code`]: code })
  }
}

/** @returns some fields of a log record; the tracking id is always one of them */
export function selectColumns(
  record: LogRecord,
  columns: readonly Column[]
): Readonly<Record<string, unknown>> {
  const request: unknown = columns.some(({ path }) => path) ? JSON.parse(record.request) : undefined
  const fields = columns.map(
    ({ name, path }) => [name, path ? valueAt(request, path) : record[name]] as const
  )
  return Object.fromEntries([
    ['trackingId', record.trackingId],
    ...fields.filter(([, value]) => value !== undefined)
  ])
}

/** Reads own properties only. */
const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)
        ? (inner as Record<string | number, unknown>)[key]
        : undefined,
    value
  )

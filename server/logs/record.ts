// A log record on the wire: flat fields as existing clients know them (spec/wire.md 13), and our nested `channels`.

import { INLINE } from '../types/templates/inline-content.ts'
import { isFailure } from './delivery.ts'
import { explain, statusOf, type ChannelStory, type Status } from './explain.ts'
import { timeOf, type Facts } from './facts.ts'
import type { Column } from './query/custom-filter.ts'
import type { Path } from './query/fields.ts'
import { ignoredOf, meaningOf } from './status-labels.ts'

export interface LogRecord {
  readonly trackingId: string
  readonly clientId: string
  readonly type: string
  readonly user_id: string
  /** ISO 8601. */
  readonly received_at: string
  readonly status: Status
  /** JSON text. */
  readonly request: string
  readonly messages: readonly string[]
  readonly channels: readonly ChannelStory[]
  /** The flat fields of each channel. */
  readonly [field: string]: unknown
}

export function recordOf(facts: Facts): LogRecord {
  const { send } = facts
  const channels = explain(facts)
  const to = (send.body['to'] ?? {}) as Readonly<Record<string, string | undefined>>
  const ignored = ignoredOf(Object.values(send.decisions))
  const scheduled = send.body['schedule']
  return {
    trackingId: send.id,
    clientId: send.envId,
    envId: send.envId,
    type: send.type,
    ...(send.subId !== '' && { subNotificationId: send.subId }),
    received_at: timeOf(send.id),
    status: statusOf(channels, facts.waiting.length > 0),
    user_id: send.userId,
    ...(to['email'] !== undefined && { user_email: to['email'] }),
    ...(to['number'] !== undefined && { user_number: to['number'] }),
    ...(typeof scheduled === 'string' && { scheduled_for: scheduled }),
    ...(ignored !== undefined && { ignored }),
    request: JSON.stringify(send.body),
    messages: send.warnings,
    ...Object.assign({}, ...channels.map(story => flatOf(facts, story))),
    channels
  } as LogRecord
}

/** When it was last decided what each channel does: on receipt, or when the schedule was due. ISO 8601. */
function decidedAt({ send, waiting }: Facts): string {
  const received = timeOf(send.id)
  const { schedule } = send.body
  const isDue = typeof schedule === 'string' && !waiting.some(({ queue }) => queue === 'SCHEDULE')
  return isDue && Date.parse(schedule) > Date.parse(received) ? schedule : received
}

/** `email_routing` and the like. */
function flatOf(facts: Facts, { channel, decision, deliveries, receipts, state }: ChannelStory) {
  const word = wordOf(channel)
  const { failed, reason, routing } = meaningOf(decision)
  const { item, send } = facts
  const received = timeOf(send.id)
  const decided = decidedAt(facts)
  const tries = deliveries.flatMap(delivery => delivery.tries)
  const sentAt =
    channel === 'INAPP_WEB' && state === 'sent'
      ? item
        ? new Date(item.at).toISOString()
        : decided
      : tries.findLast(one => one.outcome === 'sent')?.at
  const failedAt =
    state !== 'failed' ? undefined : (tries.findLast(one => isFailure(one.outcome))?.at ?? decided)
  const delivered = receipts?.find(one => one.outcome === 'delivered')
  const undelivered = receipts?.find(one => one.outcome === 'undelivered')
  const code = failed ?? deliveries.find(delivery => delivery.state === 'failed')?.code
  return {
    [`${word}_routing`]: routing,
    ...(reason !== undefined && { [`${word}_routing_reason`]: reason }),
    ...(sentAt !== undefined && {
      [`${word}_sent_at`]: sentAt,
      [`${word}_sent_after`]: Date.parse(sentAt) - Date.parse(received)
    }),
    ...(delivered && {
      [`${word}_delivered_at`]: delivered.at,
      [`${word}_delivered_after`]: Date.parse(delivered.at) - Date.parse(received)
    }),
    ...(undelivered && {
      [`${word}_undelivered_at`]: undelivered.at,
      [`${word}_undelivered_code`]: undelivered.code
    }),
    ...(failedAt !== undefined && { [`${word}_failed_at`]: failedAt }),
    ...(failedAt !== undefined && code !== undefined && { [`${word}_failed_code`]: code })
  }
}

const wordOf = (channel: string): string =>
  (INLINE as Readonly<Record<string, string>>)[channel] ?? channel.toLowerCase()

/** A log record with only some of its fields; the tracking id is always one of them. */
export function projected(record: LogRecord, columns: readonly Column[]): Readonly<Record<string, unknown>> {
  const asked: unknown = columns.some(({ path }) => path) ? JSON.parse(record.request) : undefined
  const fields = columns.map(({ name, path }) => [name, path ? valueAt(asked, path) : record[name]] as const)
  return Object.fromEntries([
    ['trackingId', record.trackingId],
    ...fields.filter(([, value]) => value !== undefined)
  ])
}

/** Own members only. */
const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)
        ? (inner as Record<string | number, unknown>)[key]
        : undefined,
    value
  )

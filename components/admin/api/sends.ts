// Sends of the log: search, one send, why each channel did what it did, send again.

import type { ChannelExplanation, Explanation, LogRecord } from '../../../server/client/logs.ts'
import type { SentContent } from '../../../server/client/preview.ts'
import { path, type Answer } from './client.ts'
import type { AdminScope } from './scope.ts'

export type { Attempt, ChannelExplanation, DeliveryState } from '../../../server/client/logs.ts'
export type { SentChannelContent } from '../../../server/client/preview.ts'

export type DeliveryExplanation = ChannelExplanation['deliveries'][number]
export type Receipt = NonNullable<ChannelExplanation['receipts']>[number]

/** A record of the log, or an explanation, which has no body. */
export type SendRecord = Explanation & Partial<Pick<LogRecord, 'request' | 'resendOf'>>

export interface SendsPage {
  readonly logs: readonly SendRecord[]
  /** Goes on where this page ends, also if the search took too long. */
  readonly next?: string
}

export type SendsQuery = Readonly<Record<string, unknown>>

export const PAGE_SIZE = 50

export const querySends = (
  { api }: AdminScope,
  query: SendsQuery,
  cursor: string | null,
  signal: AbortSignal | undefined
): Promise<Answer<SendsPage>> =>
  api.post('/logs/query', { body: { limit: PAGE_SIZE, ...query, ...(cursor && { cursor }) }, signal })

export const readSend = (
  { api }: AdminScope,
  id: string,
  signal?: AbortSignal
): Promise<Answer<SendRecord>> => api.get(path`/logs/${id}`, { signal })

export const explainSend = (
  { api }: AdminScope,
  id: string,
  signal?: AbortSignal
): Promise<Answer<Explanation>> => api.get(path`/logs/${id}/explain`, { signal })

export const readContent = (
  { api }: AdminScope,
  id: string,
  signal?: AbortSignal
): Promise<Answer<SentContent>> => api.get(path`/logs/${id}/content`, { signal })

export const resendSend = (
  { api }: AdminScope,
  id: string,
  channels: readonly string[]
): Promise<Answer<{ readonly trackingId: string }>> =>
  api.post(path`/logs/${id}/resend`, {
    body: { channels },
    headers: { 'idempotency-key': crypto.randomUUID() }
  })

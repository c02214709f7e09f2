// Sends of the log: search, one send, why each channel did what it did, send again.

import { path, type Answer } from './client.ts'
import type { AdminScope } from './scope.ts'

export type DeliveryState = 'sent' | 'waiting' | 'held' | 'scheduled' | 'failed' | 'discarded' | 'unknown'

export interface Attempt {
  readonly at: string
  readonly attempt: number
  readonly outcome: string
  readonly code?: string
  readonly detail?: string
  readonly reference?: string
  readonly tookMs?: number
  readonly explanation: string
}

export interface Delivery {
  readonly id: string
  readonly state: DeliveryState
  readonly to?: string
  readonly content?: { readonly subject?: string; readonly text: string }
  readonly nextAt?: string
  readonly attemptsLeft?: number
  readonly code?: string
  readonly deadLetter?: true
  readonly attempts: readonly Attempt[]
  readonly explanation: string
}

export interface Receipt {
  readonly at: string
  readonly outcome: 'delivered' | 'undelivered' | 'delayed' | 'answered'
  readonly code?: string
  readonly detail?: string
  readonly explanation: string
}

export interface Rule {
  readonly rule: string
  readonly passed: boolean
  readonly detail?: string
}

export interface ChannelRecord {
  readonly channel: string
  readonly state: DeliveryState
  readonly decision: string
  readonly explanation: string
  readonly deliveries: readonly Delivery[]
  readonly content?: { readonly subject?: string; readonly text: string }
  readonly receipts?: readonly Receipt[]
  /** Only in an explanation. */
  readonly rules?: readonly Rule[]
  readonly preference?: {
    readonly delivery: string
    readonly changedAt?: string
    readonly changedBy?: string
  }
  readonly seenAt?: string
  readonly openedAt?: string
  readonly clickedAt?: string
}

export interface SendRecord {
  readonly trackingId: string
  readonly type: string
  readonly user_id: string
  readonly received_at: string
  readonly status: 'received' | 'success' | 'partial' | 'failure'
  readonly messages: readonly string[]
  readonly channels: readonly ChannelRecord[]
  /** The body of the send as JSON; not in an explanation. */
  readonly request?: string
  readonly resendOf?: string
}

export interface SendsPage {
  readonly logs: readonly SendRecord[]
  /** Goes on where this page ends, also if the search took too long. */
  readonly next?: string
  readonly status?: string
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
): Promise<Answer<SendRecord>> => api.get(path`/logs/${id}/explain`, { signal })

export interface SentContent {
  readonly channel: string
  readonly source: 'stored' | 'rendered' | 'logged'
  readonly version?: number
  readonly locale?: string
  readonly fields: Readonly<Record<string, string | undefined>>
  readonly problem?: { readonly detail: string; readonly field?: string }
  readonly isExact: boolean
}

export const readContent = (
  { api }: AdminScope,
  id: string,
  signal?: AbortSignal
): Promise<Answer<{ readonly channels: readonly SentContent[] }>> =>
  api.get(path`/logs/${id}/content`, { signal })

export const resendSend = (
  { api }: AdminScope,
  id: string,
  channels: readonly string[]
): Promise<Answer<{ readonly trackingId: string }>> =>
  api.post(path`/logs/${id}/resend`, {
    body: { channels },
    headers: { 'idempotency-key': crypto.randomUUID() }
  })

// Broadcasts and topics.

import type {
  Audience,
  Broadcast,
  BroadcastPage,
  BroadcastRequest
} from '../../../server/client/broadcasts.ts'
import { path, type Answer } from './client.ts'
import type { AdminScope } from './scope.ts'

export type {
  Audience,
  Broadcast,
  BroadcastPage,
  BroadcastRequest
} from '../../../server/client/broadcasts.ts'

export interface TopicHead {
  readonly id: string
  readonly title: string
}

const OPEN: ReadonlySet<string> = new Set(['queued', 'running', 'paused'])

export const isOpenBroadcast = ({ state }: Broadcast): boolean => OPEN.has(state)

export const isBeingRetracted = ({ retraction }: Broadcast): boolean =>
  retraction !== undefined && OPEN.has(retraction.state)

/** It began, and was not retracted to the end. */
export const canRetract = (one: Broadcast): boolean =>
  one.startedAt !== undefined && !isBeingRetracted(one) && one.retraction?.state !== 'done'

export const listBroadcasts = (
  { api }: AdminScope,
  after: string | null,
  signal: AbortSignal
): Promise<Answer<BroadcastPage>> =>
  api.get('/broadcasts', { query: { count: 50, cursor: after ?? undefined }, signal })

export const estimate = (
  { api }: AdminScope,
  to: Audience,
  signal: AbortSignal
): Promise<Answer<{ readonly total: number }>> => api.post('/broadcasts/estimate', { body: { to }, signal })

/** @param key - of this order: a second request with it starts no second broadcast */
export const createBroadcast = (
  { api }: AdminScope,
  broadcast: BroadcastRequest,
  key: string
): Promise<Answer<Broadcast>> =>
  api.post('/broadcasts', { body: broadcast, headers: { 'idempotency-key': key } })

export const controlBroadcast = (
  { api }: AdminScope,
  id: string,
  action: 'pause' | 'resume' | 'retract' | 'stop'
): Promise<Answer<Broadcast>> => api.post(path`/broadcasts/${id}/${action}`, { body: {} })

export const listTopics = (
  { api }: AdminScope,
  signal: AbortSignal
): Promise<Answer<{ readonly topics: readonly TopicHead[] }>> =>
  api.get('/topics', { query: { count: 200 }, signal })

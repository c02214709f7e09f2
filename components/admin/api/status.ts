// What is the case now: channels, queues, deliveries of the last hour, what needs a look; and the first steps.

import type {
  DeliveryHistory,
  DeliveryQueue,
  EnvironmentStatus,
  FirstStep,
  HistorySpan
} from '../../../server/client/status.ts'
import type { Answer } from './client.ts'
import type { AdminScope } from './scope.ts'

export type {
  Attention,
  ChannelCounts,
  DeliveryHistory,
  DeliveryQueue,
  EnvironmentStatus,
  FirstStep,
  HistorySpan
} from '../../../server/client/status.ts'
export type { RowCount } from '../../../server/client/queues.ts'

export const readStatus = ({ api }: AdminScope, signal: AbortSignal): Promise<Answer<EnvironmentStatus>> =>
  api.get('/status', { signal })

export const readDeliveryHistory = (
  { api }: AdminScope,
  span: HistorySpan,
  signal: AbortSignal
): Promise<Answer<DeliveryHistory>> => api.get(`/status/history?span=${span}`, { signal })

export const readFirstSteps = (
  { api }: AdminScope,
  signal: AbortSignal
): Promise<Answer<{ readonly steps: readonly FirstStep[] }>> => api.get('/first-steps', { signal })

/** Queues whose provider refuses everything: their messages wait. */
export const restingQueues = ({ queues }: EnvironmentStatus): readonly DeliveryQueue[] =>
  queues.filter(({ state }) => state === 'provider-failing')

/** Numbers beside the navigation. */
export function toTallies(status: EnvironmentStatus | undefined): { attention: number; deadLetters: string } {
  if (!status) return { attention: 0, deadLetters: '' }
  const { count, isAtLeast } = status.deadLetters
  return {
    attention: restingQueues(status).length + status.attention.length,
    deadLetters: count > 0 ? `${count}${isAtLeast ? '+' : ''}` : ''
  }
}

// Queues of channels, which serve all environments: pause, resume, probe.

import type { ProviderProbe, QueuePause } from '../../../server/client/queues.ts'
import { path, type Answer } from './client.ts'
import type { AdminScope } from './scope.ts'

export type { ProviderProbe } from '../../../server/client/queues.ts'

export const pauseQueue = (
  { operators }: AdminScope,
  queue: string,
  until: Date | undefined
): Promise<Answer<{ readonly paused: QueuePause }>> =>
  operators.post(path`/queues/${queue}/pause`, { body: { until: until?.toISOString() } })

export const resumeQueue = ({ operators }: AdminScope, queue: string): Promise<Answer<unknown>> =>
  operators.post(path`/queues/${queue}/resume`, { body: {} })

export const probeQueue = ({ operators }: AdminScope, queue: string): Promise<Answer<ProviderProbe>> =>
  operators.post(path`/queues/${queue}/probe`, { body: {} })

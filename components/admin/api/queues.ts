// Queues of channels, which serve all environments: pause, resume, probe.

import { path, type Answer } from './client.ts'
import type { AdminScope } from './scope.ts'
import type { QueuePause } from './status.ts'

export interface ProbeResult {
  readonly queue: string
  readonly provider: string
  readonly checks: readonly {
    readonly probe: string
    readonly state: 'ok' | 'warning' | 'failed' | 'unsupported'
    readonly detail: string
  }[]
}

export const pauseQueue = (
  { operators }: AdminScope,
  queue: string,
  until: Date | undefined
): Promise<Answer<{ readonly paused: QueuePause }>> =>
  operators.post(path`/queues/${queue}/pause`, { body: { until: until?.toISOString() } })

export const resumeQueue = ({ operators }: AdminScope, queue: string): Promise<Answer<unknown>> =>
  operators.post(path`/queues/${queue}/resume`, { body: {} })

export const probeQueue = ({ operators }: AdminScope, queue: string): Promise<Answer<ProbeResult>> =>
  operators.post(path`/queues/${queue}/probe`, { body: {} })

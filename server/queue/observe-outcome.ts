// Reports the outcome of an attempt to the circuit breaker of its queue, and logs when the queue is paused or resumed.

import type { CircuitBreaker, Verdict } from './circuit-breaker.ts'
import type { QueueOptions } from './queue-job.ts'
import type { QueueName } from './queues.ts'
import { readRetryAfterMs, type AttemptOutcome } from './result.ts'
import type { WorkerLog } from './worker-log.ts'

/** Undefined: the outcome says nothing about the provider. */
const VERDICTS: Readonly<Record<AttemptOutcome['kind'], Verdict | undefined>> = {
  crash: undefined,
  dead: 'success',
  forwarded: 'success',
  gone: 'success',
  pause: 'fault',
  retry: 'failure',
  sent: 'success',
  uncertain: 'failure'
}

export function observeOutcome(
  outcome: AttemptOutcome,
  queue: QueueName,
  breaker: CircuitBreaker,
  { onResumed, workerLog }: Pick<QueueOptions, 'onResumed'> & { readonly workerLog: WorkerLog }
): void {
  const verdict = outcome.kind === 'retry' && outcome.isIsolated ? 'success' : VERDICTS[outcome.kind]
  if (!verdict) return
  const { fault } = breaker
  const code = 'code' in outcome ? outcome.code : undefined
  if (breaker.observe(verdict, readRetryAfterMs(outcome), code)) {
    workerLog.queuePaused(code, outcome.kind, breaker.pauseLeftMs)
  }
  if (fault && !breaker.fault) {
    workerLog.queueResumed(fault.code, fault.since)
    onResumed?.(queue)
  }
}

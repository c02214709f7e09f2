// Reports the outcome of an attempt to the circuit breaker of its queue, and logs when the queue is paused or resumed.

import type { CircuitBreaker, Verdict } from './circuit-breaker.ts'
import type { QueueOptions } from './queue-job.ts'
import type { QueueName } from './queues.ts'
import { readRetryAfterMs, type AttemptOutcome } from './result.ts'

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
  { log, onResumed }: Pick<QueueOptions, 'log' | 'onResumed'>
): void {
  const verdict = outcome.kind === 'retry' && outcome.isIsolated ? 'success' : VERDICTS[outcome.kind]
  if (!verdict) return
  const { fault } = breaker
  const code = 'code' in outcome ? outcome.code : undefined
  if (breaker.observe(verdict, readRetryAfterMs(outcome), code)) {
    // Without the detail: the provider's text may quote an address.
    log.warn(
      { code, event: 'queue_paused', outcome: outcome.kind, pauseMs: breaker.pauseLeftMs, queue },
      'queue paused after provider failures; one message probes the provider when the pause ends'
    )
  }
  if (fault && !breaker.fault) {
    log.info(
      { code: fault.code, event: 'queue_resumed', faultSince: fault.since, queue },
      'queue resumed: the provider answers again'
    )
    onResumed?.(queue)
  }
}

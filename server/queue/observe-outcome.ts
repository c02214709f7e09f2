// What the ending of a try says about the provider of a queue: for the breaker, and for the log where the queue rests or goes on.

import type { Breaker, Verdict } from './circuit-breaker.ts'
import type { QueueOptions } from './queue-job.ts'
import type { QueueName } from './queues.ts'
import { afterOf, type Ending } from './result.ts'

/** Undefined: nothing. */
const VERDICTS: Readonly<Record<Ending['fate'], Verdict | undefined>> = {
  crash: undefined,
  dead: 'fine',
  gone: 'fine',
  onward: 'fine',
  pause: 'fault',
  retry: 'failed',
  sent: 'fine',
  uncertain: 'failed'
}

export function heed(
  ending: Ending,
  queue: QueueName,
  breaker: Breaker,
  { log, recovered }: Pick<QueueOptions, 'log' | 'recovered'>
): void {
  const verdict = ending.fate === 'retry' && ending.alone ? 'fine' : VERDICTS[ending.fate]
  if (!verdict) return
  const { fault } = breaker
  const { code, detail } = { code: undefined, detail: undefined, ...ending }
  if (breaker.observe(verdict, afterOf(ending), code)) {
    // Not all of it: an ending may name who has a copy.
    const said = { code, detail, fate: ending.fate }
    log.warn({ ending: said, queue, milliseconds: breaker.wait }, 'The queue rests')
  }
  if (fault && !breaker.fault) {
    log.info({ queue, ...fault }, 'The queue goes on')
    recovered?.(queue)
  }
}

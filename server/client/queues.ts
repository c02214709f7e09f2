// The server itself, for operators: its settings, and its queues with pauses and probes of providers.

import type { Call, CallOptions } from './call.ts'
import type { Instant } from './names.ts'

/** A pause by an operator. */
export interface QueuePause {
  /** Actor of the audit log. */
  readonly by: string
  readonly since: Instant
  /** Absent: until somebody resumes the queue. */
  readonly until?: Instant
}

export interface RowCount {
  readonly count: number
  /** The count stopped at 10,000. */
  readonly isAtLeast: boolean
}

export interface QueueStatus {
  readonly queue: string
  /** Rows that should run now. */
  readonly due: RowCount
  /** Rows that wait for their time or for their next attempt, and rows that are being delivered. */
  readonly later: RowCount
  /** How late the oldest due row is. Absent if none is due. */
  readonly oldestDueSeconds?: number
  /** Present if the node that answers has paused the queue. `until`: when one message probes the provider. */
  readonly paused?: { readonly code: string; readonly since: Instant; readonly until: Instant }
  readonly pausedByOperator?: QueuePause
}

export interface ProviderProbe {
  readonly at: Instant
  readonly queue: string
  /** Host of the mail server or name of the provider; `sandbox`: messages are kept and not sent. */
  readonly provider: string
  readonly checks: readonly {
    readonly probe: string
    /** `unsupported`: nothing was asked. */
    readonly state: 'ok' | 'warning' | 'failed' | 'unsupported'
    readonly detail: string
  }[]
}

export interface ServerSettings {
  readonly settings: readonly {
    readonly name: string
    readonly meaning: string
    /** A secret is `[secret]`; null if it is not set. */
    readonly value: string | null
    readonly default: string | null
    readonly isSecret: boolean
    readonly source: 'set' | 'default'
  }[]
  readonly warnings: readonly { readonly name: string; readonly detail: string }[]
}

export const queueCalls = (call: Call) => ({
  /** Lists the settings of the node that answers, without their secrets. */
  listSettings: (options?: CallOptions): Promise<ServerSettings> =>
    call({ method: 'GET', path: ['settings'] }, options),

  /** Lists the queues of all environments: how much waits, how late it is, and why a queue is paused. */
  listQueues: (options?: CallOptions): Promise<{ readonly queues: readonly QueueStatus[] }> =>
    call({ method: 'GET', path: ['queues'] }, options),

  /**
   * Pauses a queue of all environments: no attempt starts, and nothing is lost.
   *
   * @param until - default: until {@link resumeQueue} is called
   */
  pauseQueue: (
    queue: string,
    until?: Date,
    options?: CallOptions
  ): Promise<{ readonly queue: string; readonly paused: QueuePause }> =>
    call(
      { body: { until: until?.toISOString() }, method: 'POST', path: ['queues', queue, 'pause'] },
      options
    ),

  /** Ends a pause by an operator. */
  resumeQueue: async (queue: string, options?: CallOptions): Promise<void> => {
    await call({ method: 'POST', path: ['queues', queue, 'resume'] }, options)
  },

  /** Signs in at the provider of a queue, without a message. */
  probeQueue: (queue: string, options?: CallOptions): Promise<ProviderProbe> =>
    call({ method: 'POST', path: ['queues', queue, 'probe'] }, options)
})

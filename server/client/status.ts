// The status of an environment: what is going out now, what waits, and what needs somebody.

import type { Call, CallOptions } from './call.ts'
import type { DeadLetterCause } from './dead-letters.ts'
import type { Instant } from './names.ts'
import type { QueuePause, RowCount } from './queues.ts'

/** Deliveries, those of the inbox included. */
export interface DeliveryCounts {
  readonly sent: number
  readonly failed: number
  /** Not sent because of a rule, a preference or a missing address. */
  readonly discarded: number
}

export interface StepCounts extends DeliveryCounts {
  /** Beginning of the step. */
  readonly at: Instant
}

export interface ChannelCounts {
  readonly channel: string
  /** Of the same steps, one number each. */
  readonly sent: readonly number[]
  readonly failed: readonly number[]
  readonly total: DeliveryCounts
}

/** A time that ends now: 24 hours in steps of 30 minutes, 7 days in steps of 2 hours. */
export type HistorySpan = '24h' | '7d'

export interface DeliveryHistory {
  readonly span: HistorySpan
  readonly stepMinutes: number
  /** Oldest first; the last one is not over. */
  readonly steps: readonly StepCounts[]
  /** Channels with deliveries in these steps. */
  readonly channels: readonly ChannelCounts[]
  readonly total: DeliveryCounts
}

export interface DeliveryQueue {
  readonly queue: 'EMAIL' | 'SMS' | 'CALL' | 'APN' | 'FCM' | 'WEB_PUSH' | 'SLACK'
  readonly channel: string
  /** Host of the mail server or name of the provider; `sandbox`: messages are kept and not sent. */
  readonly provider: string
  readonly state: 'running' | 'provider-failing' | 'paused' | 'sandbox'
  /** Messages of this environment that wait or are being delivered. */
  readonly waiting: RowCount
  /** How late the oldest message of this environment is. Absent if none is due. */
  readonly oldestDueSeconds?: number
  /** Why the provider gets no messages. `until`: when one message probes it. */
  readonly fault?: { readonly code: string; readonly since: Instant; readonly until: Instant }
  readonly paused?: QueuePause
}

/** A process of the installation that reported itself in the last 30 seconds. */
export interface NodeStatus {
  readonly id: string
  readonly role: 'all' | 'api' | 'worker'
  readonly version: string
  readonly startedAt: Instant
  readonly seenAt: Instant
}

export interface EmailProbe {
  readonly probe: 'smtp' | 'dkim'
  readonly state: 'ok' | 'warning' | 'failed'
  readonly detail: string
}

/** What somebody has to look at. */
export type Attention =
  | ({ readonly kind: 'email' } & EmailProbe)
  | ({ readonly kind: 'dead-letters' } & Pick<DeadLetterCause, 'channel' | 'code' | 'count' | 'isAtLeast'>)
  | {
      readonly kind: 'cannot-send'
      /** Decision of the log. */
      readonly decision: 'no-template' | 'render-failed' | 'too-long' | 'attachment-too-large' | 'no-provider'
      readonly type: string
      /** Absent if the type is gone. */
      readonly title?: string
      readonly channel: string
      /** Messages since the beginning of yesterday, in UTC. */
      readonly count: number
    }
  | {
      readonly kind: 'key-expires'
      readonly keyId: string
      readonly name: string
      readonly expiresAt: Instant
    }
  | { readonly kind: 'secret-ends'; readonly endsAt: Instant }

export interface EnvironmentStatus {
  readonly at: Instant
  /** Size of all environments, at most a minute old. Absent if it cannot be read. */
  readonly database: { readonly state: 'ok' | 'read-only'; readonly sizeBytes?: number }
  readonly nodes: readonly NodeStatus[]
  /** Open sockets and waiting polls of all nodes and environments. */
  readonly sockets: number
  readonly email: readonly EmailProbe[]
  readonly queues: readonly DeliveryQueue[]
  /** The last 60 minutes, oldest first; the current one is the last. */
  readonly minutes: readonly StepCounts[]
  /** Channels with deliveries in these minutes; `total` is that of the hour. */
  readonly channels: readonly ChannelCounts[]
  readonly lastHour: DeliveryCounts
  /** Average of the same hour of the last seven days, by minute. Absent for a younger environment. */
  readonly usual?: { readonly sentPerMinute: number; readonly failedPerMinute: number }
  readonly deadLetters: {
    /** The largest first, at most 10. A count stops at 1,000. */
    readonly causes: readonly DeadLetterCause[]
    readonly count: number
    readonly isAtLeast: boolean
    /** There are more causes. */
    readonly more: boolean
  }
  /** The worst first, at most 20. */
  readonly attention: readonly Attention[]
}

export interface FirstStep {
  readonly id: 'send' | 'inbox' | 'type' | 'provider' | 'delivery'
  readonly isDone: boolean
  readonly at?: Instant
  readonly trackingId?: string
  readonly userId?: string
  readonly type?: string
}

export const statusCalls = (call: Call) => ({
  /** Says what is going out, what waits and what needs somebody. */
  getStatus: (options?: CallOptions): Promise<EnvironmentStatus> =>
    call({ method: 'GET', path: ['status'] }, options),

  /** Counts the deliveries of each channel over a longer time than the hour of {@link getStatus}. */
  getDeliveryHistory: (span: HistorySpan, options?: CallOptions): Promise<DeliveryHistory> =>
    call({ method: 'GET', path: ['status', 'history'], query: { span } }, options),

  /** Says which first steps of a new environment are done. */
  listFirstSteps: (options?: CallOptions): Promise<{ readonly steps: readonly FirstStep[] }> =>
    call({ method: 'GET', path: ['first-steps'] }, options)
})

// What is the case now: channels, queues, deliveries of the last hour, and what needs a look.

import type { Answer } from './client.ts'
import type { AdminScope } from './scope.ts'

export interface Count {
  readonly count: number
  readonly isAtLeast: boolean
}

export interface Counts {
  readonly sent: number
  readonly failed: number
  readonly discarded: number
}

export interface QueuePause {
  readonly by: string
  readonly since: string
  readonly until?: string
}

export interface QueueState {
  readonly queue: string
  readonly channel: string
  readonly provider: string
  readonly state: 'running' | 'provider-failing' | 'paused' | 'sandbox'
  readonly waiting: Count
  readonly oldestDueSeconds?: number
  readonly fault?: { readonly code: string; readonly since: string; readonly until: string }
  readonly paused?: QueuePause
}

export interface ChannelRate {
  readonly channel: string
  /** One number for each of the last 60 minutes, oldest first. */
  readonly sent: readonly number[]
  readonly failed: readonly number[]
  readonly lastHour: Counts
}

export type Attention =
  | {
      readonly kind: 'cannot-send'
      readonly decision: 'no-template' | 'render-failed' | 'too-long' | 'attachment-too-large' | 'no-provider'
      readonly type: string
      /** Absent if the type is gone. */
      readonly title?: string
      readonly channel: string
      readonly count: number
    }
  | {
      readonly kind: 'email'
      readonly probe: 'smtp' | 'dkim'
      readonly state: 'ok' | 'warning' | 'failed'
      readonly detail: string
    }
  | {
      readonly kind: 'key-expires'
      readonly keyId: string
      readonly name: string
      readonly expiresAt: string
    }
  | { readonly kind: 'secret-ends'; readonly endsAt: string }
  | ({ readonly kind: 'dead-letters'; readonly channel: string; readonly code: string } & Count)

export interface Status {
  readonly at: string
  readonly database: { readonly state: 'ok' | 'read-only'; readonly sizeBytes?: number }
  readonly nodes: readonly { readonly id: string; readonly role: string; readonly version: string }[]
  readonly sockets: number
  readonly email: readonly { readonly probe: string; readonly state: string; readonly detail: string }[]
  readonly queues: readonly QueueState[]
  readonly minutes: readonly (Counts & { readonly at: string })[]
  readonly channels: readonly ChannelRate[]
  readonly lastHour: Counts
  readonly usual?: { readonly sentPerMinute: number; readonly failedPerMinute: number }
  readonly deadLetters: Count
  readonly attention: readonly Attention[]
}

export const readStatus = ({ api }: AdminScope, signal: AbortSignal): Promise<Answer<Status>> =>
  api.get('/status', { signal })

/** Queues whose provider refuses everything: their messages wait. */
export const restingQueues = ({ queues }: Status): readonly QueueState[] =>
  queues.filter(({ state }) => state === 'provider-failing')

/** Numbers beside the navigation. */
export function toTallies(status: Status | undefined): { attention: number; deadLetters: string } {
  if (!status) return { attention: 0, deadLetters: '' }
  const { count, isAtLeast } = status.deadLetters
  return {
    attention: restingQueues(status).length + status.attention.length,
    deadLetters: count > 0 ? `${count}${isAtLeast ? '+' : ''}` : ''
  }
}

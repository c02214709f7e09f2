// The names of the queues, one for each channel and each kind of database job, and what other rooms do with them.

import type { ProviderFault } from './circuit-breaker.ts'

export const QUEUES = [
  'EMAIL',
  'SMS',
  'CALL',
  'APN',
  'FCM',
  'WEB_PUSH',
  'SLACK',
  'SCHEDULE',
  'DIGEST',
  'ESCALATE',
  'FETCH',
  'HELD',
  'EXPIRE',
  'SNOOZE',
  'WEBHOOK'
] as const
export type QueueName = (typeof QUEUES)[number]

/**
 * Returns the name of a queue in the log. Mobile push has a queue for each provider, so that a fault of one does not pause
 * the other, and an email whose files are fetched is an email.
 */
export const toChannel = (queue: QueueName): string =>
  queue === 'APN' || queue === 'FCM' ? 'PUSH' : queue === 'FETCH' ? 'EMAIL' : queue

/** A queue that starts no attempts, or one as a probe, until its provider answers. */
export interface PausedQueue extends ProviderFault {
  readonly queue: QueueName
  /** When a message probes the provider. In the past while one does. */
  readonly until: Date
}

export interface Queues {
  /** Returns the paused queues of this process, with one entry for each database group. */
  paused(): readonly PausedQueue[]
  /** Makes workers claim at once, after a commit that enqueued rows. */
  wake(queues: Iterable<QueueName>): void
  /** For tests. Resolves when the queue has no running attempts and no due rows, or is paused. */
  idle(queue: QueueName): Promise<void>
  start(): void
  /** Stops claiming, aborts attempts after `deadlineMs`, returns unfinished rows, and resolves when everything is written. */
  stop(deadlineMs: number): Promise<void>
}

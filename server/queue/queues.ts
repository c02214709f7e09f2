// All queues of this process: one for each channel and for each kind of timed work.

import type { Fault } from './circuit-breaker.ts'

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
  'FETCH',
  'EXPIRE'
] as const
export type QueueName = (typeof QUEUES)[number]

/**
 * What the log calls a queue: mobile push has one for each provider, so that a fault of one does not stop the other, and a
 * mail whose files are still to be fetched is a mail.
 */
export const channelOf = (queue: QueueName): string =>
  queue === 'APN' || queue === 'FCM' ? 'PUSH' : queue === 'FETCH' ? 'EMAIL' : queue

/** A queue that starts nothing, or one row as a probe, until its provider is well again. */
export interface PausedQueue extends Fault {
  readonly queue: QueueName
}

export interface Queues {
  /** Queues of this process that rest; one entry for each database group. */
  paused(): readonly PausedQueue[]
  /** After a commit that enqueued work: look now. Returns at once. */
  wake(queues: Iterable<QueueName>): void
  /** Resolves when nothing is in flight in the queue and nothing is due, or the queue rests after a fault of its provider. For tests. */
  idle(queue: QueueName): Promise<void>
  start(): void
  /** Stops claiming, gives back what is unfinished after `deadline` milliseconds, resolves when all is settled. */
  stop(deadline: number): Promise<void>
}

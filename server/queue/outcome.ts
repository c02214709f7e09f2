// What one attempt of a delivery came to. The worker decides by it what becomes of the row and of its queue.

import type { QueueName } from './queues.ts'

/** What a message said, for the log. */
export interface MessageContent {
  /** Of an email; the title of a push. */
  readonly subject?: string
  readonly text: string
}

interface Logged {
  /** Given if the message was built. */
  readonly content?: MessageContent
}

interface Failure extends Logged {
  readonly code: string
  readonly detail: string
  /** Of an email: addresses that have their copy by now. Later attempts leave them out. */
  readonly deliveredTo?: readonly string[]
}

interface RetryLater extends Failure {
  /** Milliseconds after which the provider wants to be called again. */
  readonly retryAfterMs?: number | undefined
}

/** The provider accepted the message. `code` and `detail` are given if the log should say more. */
export interface Sent extends Logged {
  readonly kind: 'sent'
  readonly ref?: string
  readonly code?: string
  readonly detail?: string
}

/** The row moves to another queue and has all its attempts there. */
interface Forwarded {
  readonly kind: 'forwarded'
  readonly queue: QueueName
  readonly detail?: string
}

/** This message failed now and may succeed later. The attempt counts. */
export interface Retry extends RetryLater {
  readonly kind: 'retry'
  /** The failure says nothing about other messages, so it does not count for the circuit breaker. */
  readonly isIsolated?: true
}

/** The provider fails for every message. The attempt does not count; the queue is paused and then probes the provider. */
interface Pause extends RetryLater {
  readonly kind: 'pause'
}

export interface Dead extends Failure {
  readonly kind: 'dead'
  /** Of an email: no message to this address will ever arrive. */
  readonly isAddressInvalid?: true
}

/** This message will never be delivered, and its address is to be deleted. */
interface Gone extends Failure {
  readonly kind: 'gone'
  /** When the provider last knew that the address was gone. Default: now. */
  readonly asOf?: Date
}

/** The lease might have ended during the call, so there was none. The row returns to the queue; the attempt does not count. */
interface TooLate {
  readonly kind: 'late'
}

/** The message may have arrived. The channel decides whether it is attempted again. */
interface Uncertain extends Failure {
  readonly kind: 'uncertain'
}

export type Outcome = Sent | Forwarded | Retry | Pause | Dead | Gone | TooLate | Uncertain

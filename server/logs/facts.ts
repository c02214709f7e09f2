// Everything that is kept about one send, as its rows say it. What it means: explain.ts.

import { timeInId, type UserKey } from '../core/id.ts'
import type { QueueName } from '../queue/queues.ts'

export interface SendFacts extends UserKey {
  /** Tracking id. */
  readonly id: string
  /** Of the notification. */
  readonly type: string
  /** `''`: none. */
  readonly subId: string
  readonly body: Readonly<Record<string, unknown>>
  /** By channel. */
  readonly decisions: Readonly<Record<string, string>>
  readonly warnings: readonly string[]
  /** By channel: the send under whose id the digest that holds this one is logged. */
  readonly digests?: Readonly<Record<string, string>> | null
}

/** One try of one delivery. */
export interface AttemptFact {
  /** uuidv7: also its time. */
  readonly id: string
  readonly deliveryId: string
  readonly channel: string
  readonly claimCount: number
  readonly outcome: string
  readonly code: string | null
  readonly detail: string | null
  readonly ref: string | null
  readonly tookMs: number | null
}

/** A row of the outbox. */
export interface WaitingFact {
  readonly id: string
  readonly queue: QueueName
  readonly runAt: Date
  readonly attemptsLeft: number
  /** A worker has it right now. */
  readonly leased: boolean
  /** Of what waits for a digest. */
  readonly channel?: string | null
}

export interface DeadFact {
  readonly id: string
  readonly queue: QueueName
  readonly code: string
  readonly detail: string | null
  readonly diedAt: Date
}

/** What the network said after the provider had taken it, or what somebody answered. */
export interface ReceiptFact {
  /** uuidv7: also its time. */
  readonly id: string
  readonly channel: string
  readonly outcome: 'delivered' | 'undelivered' | 'delayed' | 'answered'
  readonly code: string | null
  readonly detail: string | null
}

/** The notification in the inbox. */
export interface ItemFact {
  /** When it came into the inbox. Milliseconds. */
  readonly at: number
  /** Retracted or expired. */
  readonly removed: boolean
  readonly openedAt: Date | null
  readonly clickedAt: Date | null
  readonly archivedAt: Date | null
}

export interface Facts {
  readonly send: SendFacts
  /** Oldest first. */
  readonly attempts: readonly AttemptFact[]
  readonly waiting: readonly WaitingFact[]
  readonly dead: readonly DeadFact[]
  /** Oldest first. */
  readonly receipts: readonly ReceiptFact[]
  readonly item?: ItemFact
}

/** The instant that a uuidv7 names, ISO 8601. */
export const timeOf = (id: string): string => new Date(timeInId(id)).toISOString()

// The delivery facts of a send, as its rows say them. explain.ts interprets them.

import { timeInId, type UserKey } from '../core/id.ts'
import type { ItemUpdates } from '../inbox/item.ts'
import { toChannel, type QueueName } from '../queue/queues.ts'
import type { HeldDelivery } from '../send/hold/held-row.ts'

export interface SendFacts extends UserKey {
  /** Tracking id. */
  readonly id: string
  readonly type: string
  /** `''` if there is no sub-notification. */
  readonly subId: string
  readonly body: Readonly<Record<string, unknown>>
  /** By channel. */
  readonly decisions: Readonly<Record<string, string>>
  /** By channel: the detail of a decision that needs one. */
  readonly details?: Readonly<Record<string, string>> | null
  readonly warnings: readonly string[]
  /** By channel: id of the send that the digest with this send is logged under. */
  readonly digests?: Readonly<Record<string, string>> | null
}

export interface AttemptFacts {
  /** uuidv7, which contains the time of the attempt. */
  readonly id: string
  readonly deliveryId: string
  readonly channel: string
  readonly claimCount: number
  readonly outcome: string
  readonly code: string | null
  readonly detail: string | null
  /** Id that the provider gave the message. */
  readonly providerRef: string | null
  readonly tookMs: number | null
  /** Of the last attempt: where the message went, and the beginning of what it said. */
  readonly address?: string | null
  readonly subject?: string | null
  readonly content?: string | null
}

export interface QueuedFacts {
  readonly id: string
  readonly queue: QueueName
  readonly runAt: Date
  readonly attemptsLeft: number
  readonly isLeased: boolean
  /** Address, number or token. */
  readonly to?: string | null
  /** Of a row that waits for a digest or a delay. */
  readonly channel?: string | null
  /** Of a row that waits for the end of a pause or of quiet hours. */
  readonly held?: HeldDelivery | null
  /** Of a delay: the state of the in-app notification that cancels it. */
  readonly unless?: string | null
  /** Of a webhook. */
  readonly webhook?: WebhookFacts | null
  /** Whether the row closes a push on a phone. */
  readonly closesPush?: boolean
}

/** What a webhook is about. */
export interface WebhookFacts {
  readonly type: string
  readonly actionId?: string | null
}

/** The channel of a row that waits, also of one that is held. */
export const queuedChannel = ({ held, queue }: Pick<QueuedFacts, 'held' | 'queue'>): string =>
  toChannel(held?.queue ?? queue)

export interface DeadLetterFacts {
  readonly id: string
  readonly queue: QueueName
  readonly code: string
  readonly detail: string | null
  readonly diedAt: Date
  readonly to: string | null
  readonly webhook?: WebhookFacts | null
  readonly closesPush?: boolean
}

/** What the network reported after the provider accepted the message, or a reply of the user. */
export interface ReceiptFacts {
  /** uuidv7, which contains the time of the receipt. */
  readonly id: string
  readonly channel: string
  readonly outcome: 'delivered' | 'undelivered' | 'delayed' | 'answered'
  readonly code: string | null
  readonly detail: string | null
}

export interface ItemFacts {
  /** When it was added to the inbox, in milliseconds since 1970. */
  readonly at: number
  /** Retracted or expired. */
  readonly removed: boolean
  /** Null after it was removed. */
  readonly title?: string | null
  readonly text?: string | null
  readonly seenAt: Date | null
  readonly openedAt: Date | null
  readonly clickedAt: Date | null
  readonly archivedAt: Date | null
  readonly snoozedUntil: Date | null
  readonly actioned1At: Date | null
  readonly actioned2At: Date | null
  /** By the back end; null: none. */
  readonly updates: ItemUpdates | null
}

/** Of an item that was just added. */
export const NEW_ITEM = {
  actioned1At: null,
  actioned2At: null,
  archivedAt: null,
  clickedAt: null,
  openedAt: null,
  removed: false,
  seenAt: null,
  snoozedUntil: null,
  updates: null
} satisfies Omit<ItemFacts, 'at'>

/** Rows that follow from the item of a send, and are no deliveries of it. */
export interface FollowerFacts {
  /** Oldest first. */
  readonly attempts: readonly AttemptFacts[]
  readonly queued: readonly QueuedFacts[]
  readonly deadLetters: readonly DeadLetterFacts[]
}

export interface DeliveryFacts {
  readonly send: SendFacts
  /** Oldest first. */
  readonly attempts: readonly AttemptFacts[]
  /** What closes the pushes on phones, because the item was read. Default: nothing. */
  readonly closings?: FollowerFacts
  /** Webhooks about buttons and replies of the item. Default: none. */
  readonly webhooks?: FollowerFacts
  readonly queued: readonly QueuedFacts[]
  readonly deadLetters: readonly DeadLetterFacts[]
  /** Oldest first. */
  readonly receipts: readonly ReceiptFacts[]
  readonly item?: ItemFacts
}

/** The time that a uuidv7 contains, ISO 8601. */
export const isoTimeOfId = (id: string): string => new Date(timeInId(id)).toISOString()

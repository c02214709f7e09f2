// What a channel is: how one message is built from a send, and the provider that sends it.

import type { UserKey } from '../core/id.ts'
import type { DatabaseGroup, Json } from '../db/db.ts'
import type { InboxSummary } from '../inbox/item-states.sql.ts'
import type { ClaimedRow } from '../queue/outbox.sql.ts'
import type { MessageContent, Outcome } from '../queue/outcome.ts'
import type { Attempt } from '../queue/queue-job.ts'
import type { QueueName } from '../queue/queues.ts'
import type { CloseBody } from '../send/after-read/close-body.ts'
import type { DeviceInfo } from '../users/device.ts'

export type ChannelQueue = Extract<QueueName, 'EMAIL' | 'SMS' | 'CALL' | 'APN' | 'FCM' | 'WEB_PUSH' | 'SLACK'>

/** Body of an outbox row. Everything else (parameters, inline content, options) is read from the send for each attempt. */
export interface DeliveryBody {
  readonly [key: string]: Json | undefined
  /** Address, number or token. */
  readonly to: string
  /** Stored language and time zone of the user, if the send does not give them. */
  readonly locale?: string
  readonly timezone?: string
  /** Given for mobile push and web push. */
  readonly device?: DeviceInfo
  readonly notificationId: string
  /** Template id, `''` for the default template, or null if the send has inline content. */
  readonly template: string | null
  /** Addresses that have their copy of an email: see {@link Outcome}. */
  readonly deliveredTo?: readonly string[]
  /** The address is read again before the next attempt. Set by a redrive. */
  readonly isRedriven?: true
  /** Items of a digest that are rendered one by one. */
  readonly items?: Json
}

export interface Delivery extends UserKey {
  /** Id of the outbox row. It is the same for every attempt, so a provider can recognize a repeated message. */
  readonly id: string
  /** Tracking id. */
  readonly sendId: string
  readonly body: DeliveryBody
  /** Absent if the channel does not read it. */
  readonly inbox?: InboxSummary | undefined
  /** The accepted request as stored in `sends.body`. */
  readonly send: Readonly<Record<string, unknown>>
}

/** Remark in the log of a message that was sent with changes, such as a truncated text. */
export interface DeliveryNote {
  readonly code: string
  readonly detail: string
}

/** The message, or why it can never be built. */
export type MessageResult<Message> =
  | { readonly ok: true; readonly message: Message; readonly note?: DeliveryNote | undefined }
  | { readonly ok: false; readonly code: string; readonly detail: string }

export interface Provider<Message> {
  /** Expected failures are outcomes. @throws only for bugs */
  send(message: Message, delivery: Delivery, attempt: Pick<Attempt, 'number' | 'signal'>): Promise<Outcome>
  close?(): Promise<void>
}

/** A provider that keeps connections open. */
export interface ClosableProvider<Message> extends Provider<Message> {
  close(): Promise<void>
}

export interface Channel<Message = unknown> {
  readonly name: ChannelQueue
  /** Time-out of one attempt. The lease of a row is this and a margin. */
  readonly timeoutMs: number
  /** Simultaneous attempts of this process. */
  readonly concurrency: number
  /** What follows from an uncertain outcome: `retry` may repeat a message, `dead` may lose one. */
  readonly whenUncertain: 'retry' | 'dead'
  /** Returns the ids of rows whose recipient has opted out at the provider. Called once for each claimed batch. */
  readStopped?(group: DatabaseGroup, rows: readonly ClaimedRow[]): Promise<ReadonlySet<string>>
  /** Returns the inbox of the user of each row. Called once for each claimed batch. */
  readInboxes?(group: DatabaseGroup, rows: readonly ClaimedRow[]): Promise<readonly InboxSummary[]>
  buildMessage(delivery: Delivery): Promise<MessageResult<Message>>
  /** Builds the message that tells a phone to close the push of a read send. Absent: the channel cannot. */
  buildClose?(body: CloseBody): Message
  /** Returns what the message says, for the log. */
  describe(message: Message): MessageContent
  readonly provider: Provider<Message>
}

// A channel: how one message is made and handed to a provider.

import type { UserKey } from '../core/id.ts'
import type { DatabaseGroup, Json } from '../db/db.ts'
import type { ClaimedRow } from '../queue/outbox.sql.ts'
import type { Outcome } from '../queue/outcome.ts'
import type { Attempt } from '../queue/queue-job.ts'
import type { QueueName } from '../queue/queues.ts'
import type { DeviceInfo } from '../users/device.ts'

/** Queues that deliver something to somebody. */
export type ChannelQueue = Extract<QueueName, 'EMAIL' | 'SMS' | 'CALL' | 'APN' | 'FCM' | 'WEB_PUSH' | 'SLACK'>

/**
 * Body of an outbox row in a channel's queue, written by the accept. Everything else (parameters, inline content,
 * options) is read from the send when the message is made.
 */
export interface DeliveryBody {
  readonly [key: string]: Json | undefined
  /** Address, number or token. */
  readonly to: string
  /** Of the user, where the send does not say it. */
  readonly locale?: string
  readonly timezone?: string
  /** Of mobile push and web push. */
  readonly device?: DeviceInfo
  readonly notificationId: string
  /** Id of the type's template, `''` is the default one; null: the send brings its own content. */
  readonly template: string | null
  /** Of a mail: see {@link Outcome}. */
  readonly reached?: readonly string[]
  /** Of a digest: what is rendered one by one. */
  readonly items?: Json
}

export interface Delivery extends UserKey {
  /** Of the outbox row: the same for every try, so a provider or the sandbox can tell a repeat. */
  readonly id: string
  /** Tracking id. */
  readonly sendId: string
  readonly body: DeliveryBody
  /** The accepted request as it is kept in `sends.body`. */
  readonly send: Readonly<Record<string, unknown>>
}

/** What the log says of a message that was sent otherwise than it was written. */
export interface DeliveryNote {
  readonly code: string
  readonly detail: string
}

/** The message, or why it can never be made. */
export type MessageResult<Message> =
  | { readonly ok: true; readonly message: Message; readonly note?: DeliveryNote | undefined }
  | { readonly ok: false; readonly code: string; readonly detail: string }

export interface Provider<Message> {
  /** Returns what it expects and throws only bugs. */
  send(message: Message, delivery: Delivery, attempt: Pick<Attempt, 'number' | 'signal'>): Promise<Outcome>
  close(): Promise<void>
}

export interface Channel<Message = unknown> {
  readonly name: ChannelQueue
  /** Milliseconds of one try; the lease is this and a margin. */
  readonly timeoutMs: number
  /** Tries at the same time in this process. */
  readonly concurrency: number
  /** What an uncertain outcome does: `retry` may repeat a message, `dead` may lose one. */
  readonly whenUncertain: 'retry' | 'dead'
  /** Ids of claimed rows whose address wants nothing any more; asked once for all that were claimed. */
  readStopped?(group: DatabaseGroup, rows: readonly ClaimedRow[]): Promise<ReadonlySet<string>>
  makeMessage(delivery: Delivery): Promise<MessageResult<Message>>
  readonly provider: Provider<Message>
}

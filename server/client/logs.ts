// The log: what became of each send, and why.

import type { Ask, CallOptions } from './call.ts'
import type { Channel, Instant } from './names.ts'

/** received: nothing of it has ended yet. failure: something was refused or given up. */
export type LogStatus = 'received' | 'success' | 'failure'

/** What must hold; of a list any value. Newest first, within the retention period. */
export interface LogQuery {
  /** Unix times in seconds or milliseconds. */
  readonly dateRangeFilter?: { readonly startTime?: number; readonly endTime?: number }
  /** Ids of types. */
  readonly notificationFilter?: readonly string[]
  readonly channelFilter?: readonly Channel[]
  /** Ids of users. */
  readonly userFilter?: readonly string[]
  readonly statusFilter?: readonly (LogStatus | Uppercase<LogStatus>)[]
  readonly trackingIds?: readonly string[]
  /** Conditions on the body of the send that all hold, e.g. `request.parameters.item = "sneaker*"`. */
  readonly requestFilter?: readonly string[]
  readonly envIdFilter?: readonly string[]
  /** `fields … | filter … | sort … desc | limit n`: overrides all others but the dates. */
  readonly customFilter?: string
  /** Most records of the answer, 1 to 1000. Default 100. */
  readonly limit?: number
  /** Value of `next` of the page before. */
  readonly cursor?: string
}

/** One try of one delivery. */
export interface Attempt {
  readonly at: Instant
  readonly try: number
  readonly outcome: string
  readonly code?: string
  readonly detail?: string
  /** What the provider calls it. */
  readonly reference?: string
  readonly tookMs?: number
  readonly words: string
}

export type DeliveryState = 'sent' | 'waiting' | 'scheduled' | 'failed' | 'discarded' | 'unknown'

/** What became of a channel of a send, and which rule decided. */
export interface ChannelStory {
  readonly channel: string
  readonly state: DeliveryState
  readonly decision: string
  /** The same as a sentence. */
  readonly words: string
  readonly deliveries: readonly {
    readonly id: string
    readonly state: DeliveryState
    /** When it is tried next. */
    readonly nextAt?: Instant
    readonly triesLeft?: number
    readonly code?: string
    /** It can be redriven or dropped. */
    readonly deadLetter?: true
    readonly tries: readonly Attempt[]
    readonly words: string
  }[]
  /** What the network said after the provider had taken it, or what somebody answered. Absent: nothing. */
  readonly receipts?: readonly {
    readonly at: Instant
    readonly outcome: 'delivered' | 'undelivered' | 'delayed' | 'answered'
    readonly code?: string
    /** Of an answer: its text. */
    readonly detail?: string
    readonly words: string
  }[]
}

export interface LogRecord {
  readonly trackingId: string
  readonly clientId: string
  readonly type: string
  readonly user_id: string
  readonly received_at: Instant
  readonly status: LogStatus
  /** The send as JSON text. */
  readonly request: string
  readonly messages: readonly string[]
  readonly channels: readonly ChannelStory[]
  /** Flat fields of each channel: `email_sent_at`, `inapp_routing` and the like. */
  readonly [field: string]: unknown
}

export interface LogAnswer {
  /** With `fields` in a `customFilter`, only those and the tracking id. */
  readonly logs: readonly (Partial<LogRecord> & Pick<LogRecord, 'trackingId'>)[]
  readonly messages: readonly string[]
  readonly queryId: string
  readonly status: 'Complete'
  /** Cursor of the next page. Only where it is absent there is no more: a page may be short, or empty. */
  readonly next?: string
}

export type Explanation = Pick<
  LogRecord,
  'trackingId' | 'type' | 'user_id' | 'received_at' | 'status' | 'messages' | 'channels'
>

export const logs = (ask: Ask) => ({
  queryLogs: (query: LogQuery = {}, options?: CallOptions): Promise<LogAnswer> =>
    ask({ body: query, method: 'POST', path: ['logs', 'query'] }, options),

  /** A send with every try of every channel. */
  getLog: (trackingId: string, options?: CallOptions): Promise<LogRecord> =>
    ask({ method: 'GET', path: ['logs', trackingId] }, options),

  /** Why each channel of a send did what it did. */
  explain: (trackingId: string, options?: CallOptions): Promise<Explanation> =>
    ask({ method: 'GET', path: ['logs', trackingId, 'explain'] }, options)
})

// The log: the outcome of each send on each channel, with its reason.

import type { Call, CallOptions } from './call.ts'
import type { ChangeSource, Channel, Delivery, Instant } from './names.ts'

/**
 * `received`: not finished yet, or discarded by rules. `success`: a channel was delivered and none failed. `partial`: one delivery
 * succeeded and another failed for good. `failure`: a delivery failed for good and none succeeded, or the user has no address on any
 * channel. A channel without an address is discarded and does not count beside others.
 */
export type LogStatus = 'received' | 'success' | 'partial' | 'failure'

/** Conditions that all have to hold; of a list, any value. Records are newest first, within the retention period. */
export interface LogQuery {
  /** Unix times in seconds or milliseconds. */
  readonly dateRangeFilter?: { readonly startTime?: number; readonly endTime?: number }
  /** Ids of notification types. */
  readonly notificationFilter?: readonly string[]
  readonly channelFilter?: readonly Channel[]
  /** Ids of users. */
  readonly userFilter?: readonly string[]
  /** Email addresses and phone numbers that a message of the send went to, wherever the address came from. */
  readonly addressFilter?: readonly string[]
  readonly statusFilter?: readonly (LogStatus | Uppercase<LogStatus>)[]
  /** Decisions such as `preference-off`, or rules such as `preference`, which stand for the decisions that fail them. */
  readonly decisionFilter?: readonly string[]
  readonly trackingIds?: readonly string[]
  /** Conditions on the body of the send, e.g. `request.parameters.item = "sneaker*"`. All of them have to hold. */
  readonly requestFilter?: readonly string[]
  readonly envIdFilter?: readonly string[]
  /** `fields … | filter … | sort … desc | limit n`. Replaces all other conditions except the dates. */
  readonly customFilter?: string
  /** Maximum number of records, 1 to 1000. Default: 100. */
  readonly limit?: number
  /** `next` of the previous page. */
  readonly cursor?: string
}

/** One call of a provider for one delivery. */
export interface Attempt {
  readonly at: Instant
  readonly attempt: number
  readonly outcome: string
  readonly code?: string
  readonly detail?: string
  /** Id that the provider gave to the message. */
  readonly reference?: string
  readonly tookMs?: number
  readonly explanation: string
}

/** What a message said, as plain text. A long text is cut to 1,000 bytes of UTF-8, a subject to 200. */
export interface MessageText {
  /** Subject of an email, title of a push or of an in-app notification. */
  readonly subject?: string
  readonly text: string
}

/** A phone that is told to close the push of a notification that was read. */
export interface PushClosing {
  readonly id: string
  readonly state: 'closed' | 'waiting' | 'failed'
  /** Time of the last attempt. Absent while it waits. */
  readonly at?: Instant
  /** Time of the next attempt. */
  readonly nextAt?: Instant
  readonly code?: string
  readonly explanation: string
}

/** A signed webhook that a button or a reply of an in-app notification sent to the back end. */
export interface WebhookExplanation {
  readonly id: string
  /** Absent if its attempts say no more than that it was lost. */
  readonly event?: string
  /** The button. */
  readonly actionId?: string
  readonly state: DeliveryState
  /** When the user acted. */
  readonly at: Instant
  readonly nextAt?: Instant
  readonly attemptsLeft?: number
  readonly code?: string
  /** The webhook is a dead letter: it can be redriven or dropped. */
  readonly deadLetter?: true
  readonly attempts: readonly Attempt[]
  readonly explanation: string
}

/** `held`: until the pause or the quiet hours of the user end. */
export type DeliveryState = 'sent' | 'waiting' | 'held' | 'scheduled' | 'failed' | 'discarded' | 'unknown'

/** The outcome of one channel of a send, and the rule that decided it. */
export interface ChannelExplanation {
  readonly channel: string
  readonly state: DeliveryState
  readonly decision: string
  /** State and decision as a sentence. */
  readonly explanation: string
  /** Of `explain`: the rules in their order, up to the one that decided. */
  readonly rules?: readonly { readonly rule: string; readonly passed: boolean }[]
  /** Of `explain`, if a preference of the user decided and still stands. */
  readonly preference?: {
    readonly delivery: Delivery
    readonly changedAt: Instant
    readonly changedBy: ChangeSource
  }
  readonly deliveries: readonly {
    readonly id: string
    readonly state: DeliveryState
    /** Email address, number, Slack channel or shortened device token. */
    readonly to?: string
    /** What it said. Absent until its last attempt, and if it could not be rendered. */
    readonly content?: MessageText
    /** Time of the next attempt. */
    readonly nextAt?: Instant
    readonly attemptsLeft?: number
    readonly code?: string
    /** The delivery is a dead letter: it can be redriven or dropped. */
    readonly deadLetter?: true
    readonly attempts: readonly Attempt[]
    readonly explanation: string
  }[]
  /** What an in-app notification says, as long as it is in the inbox. */
  readonly content?: MessageText
  /** Of an in-app notification: when the user saw, opened and clicked it. */
  readonly seenAt?: Instant
  readonly openedAt?: Instant
  readonly clickedAt?: Instant
  /** Of an in-app notification that the back end has updated. */
  readonly updates?: {
    readonly count: number
    /** Of the last update. */
    readonly at: Instant
    /** Of the last update. */
    readonly fields: readonly string[]
    /** Of the last update that made the notification new. */
    readonly newAt?: Instant
    readonly explanation: string
  }
  /** Of an in-app notification with buttons or a reply field. */
  readonly webhooks?: readonly WebhookExplanation[]
  /** Of mobile push. Absent before the in-app notification is read. */
  readonly closings?: readonly PushClosing[]
  /** Delivery receipts of the network, and answers of the user. Absent if there are none. */
  readonly receipts?: readonly {
    readonly at: Instant
    readonly outcome: 'delivered' | 'undelivered' | 'delayed' | 'answered'
    readonly code?: string
    /** Text of an answer. */
    readonly detail?: string
    readonly explanation: string
  }[]
}

export type CountedField = 'day' | 'type' | 'channel' | 'state'

export interface LogStatsQuery {
  /** Default: `day`. */
  readonly by?: CountedField
  /** Id of a notification type. Default: all types. */
  readonly type?: string
  /** First day, in UTC: `2026-11-01`. Default: 29 days before `to`. */
  readonly from?: string
  /** Last day, in UTC. At most 366 days after `from`. Default: today. */
  readonly to?: string
}

export interface LogStats {
  readonly by: CountedField
  readonly from: string
  readonly to: string
  /** Everything until then is counted. Absent in the first minute of an installation. */
  readonly until?: Instant
  /** Days are the latest first. */
  readonly counts: readonly {
    /** Day, type, channel or state. */
    readonly value: string
    readonly count: number
    /** Of a day, type or channel: counts of its states. */
    readonly states?: Partial<Readonly<Record<'sent' | 'failed' | 'discarded', number>>>
  }[]
}

export interface LogRecord {
  readonly trackingId: string
  readonly clientId: string
  readonly type: string
  readonly user_id: string
  readonly received_at: Instant
  readonly status: LogStatus
  /** The broadcast that it is part of. */
  readonly broadcastId?: string
  /** Tracking id of the send that this one repeats. */
  readonly resendOf?: string
  /** The send as JSON text. */
  readonly request: string
  readonly messages: readonly string[]
  readonly channels: readonly ChannelExplanation[]
  /** Flat fields of each channel, such as `email_sent_at` and `inapp_routing`. */
  readonly [field: string]: unknown
}

export interface LogAnswer {
  /** If `customFilter` lists `fields`, only these fields and the tracking id. */
  readonly logs: readonly (Partial<LogRecord> & Pick<LogRecord, 'trackingId'>)[]
  readonly messages: readonly string[]
  readonly queryId: string
  readonly status: 'Complete'
  /** Cursor of the next page. Absent on the last page only: a page may be short or empty and still have a next one. */
  readonly next?: string
}

export type Explanation = Pick<
  LogRecord,
  'trackingId' | 'type' | 'user_id' | 'received_at' | 'status' | 'messages' | 'channels'
>

export const logCalls = (call: Call) => ({
  /** Searches the log. */
  queryLogs: (query: LogQuery = {}, options?: CallOptions): Promise<LogAnswer> =>
    call({ body: query, method: 'POST', path: ['logs', 'query'] }, options),

  /** Counts deliveries by day, type, channel or state. */
  getLogStats: (query: LogStatsQuery = {}, options?: CallOptions): Promise<LogStats> =>
    call({ method: 'GET', path: ['logs', 'stats'], query: { ...query } }, options),

  /** Returns a send with all attempts of all channels. @throws NotifProblem 404 if the log has no such send */
  getLog: (trackingId: string, options?: CallOptions): Promise<LogRecord> =>
    call({ method: 'GET', path: ['logs', trackingId] }, options),

  /** Explains the outcome of each channel of a send. @throws NotifProblem 404 if the log has no such send */
  explain: (trackingId: string, options?: CallOptions): Promise<Explanation> =>
    call({ method: 'GET', path: ['logs', trackingId, 'explain'] }, options)
})

// Broadcasts: one notification to many users.

import type { Call, CallOptions } from './call.ts'
import type { Instant, PageOptions } from './names.ts'
import type { SendRequest } from './send.ts'
import type { TaskState } from './tasks.ts'

export type Audience =
  | { readonly everyone: true }
  | { readonly topic: string }
  /** Users whose properties contain these values. */
  | { readonly properties: Readonly<Record<string, unknown>> }

export interface BroadcastRequest extends Omit<SendRequest, 'to'> {
  readonly to: Audience
  /** Date and time in the time zone of each user, such as `2026-12-01T09:00`, instead of `schedule`. */
  readonly localTime?: string
  /** The most users in a second. Default: as fast as the database. */
  readonly perSecond?: number
}

export interface Broadcast {
  readonly broadcastId: string
  readonly state: TaskState
  readonly to: Audience
  /** What each user gets. */
  readonly send: Readonly<Record<string, unknown>>
  /** Users of the audience when the broadcast began. Absent before. */
  readonly total?: number
  /** The sum of the next three. */
  readonly done: number
  /** Users that get it on at least one channel, now or later. */
  readonly sent: number
  /** Users that get it on no channel, by their preferences, a missing address or a limit of the type. */
  readonly leftOut: number
  /** Users for whom it could not be prepared. */
  readonly failed: number
  /** Absent: as fast as the database. */
  readonly perSecond?: number
  readonly schedule?: Instant
  readonly localTime?: string
  /** Warnings about the request. */
  readonly messages: readonly string[]
  readonly createdBy: string
  readonly createdAt: Instant
  readonly startedAt?: Instant
  readonly endedAt?: Instant
  /** Why it ended before its last user. */
  readonly error?: string
  /** Absent: it was not retracted. */
  readonly retraction?: { readonly state: TaskState; readonly taskId: string }
}

export interface BroadcastPage {
  /** Newest first. */
  readonly broadcasts: readonly Broadcast[]
  /** Cursor of the next page. Absent on the last page. */
  readonly next?: string
}

export const broadcastCalls = (call: Call) => ({
  /** Sends to all users of an audience. Returns at once. */
  createBroadcast: (broadcast: BroadcastRequest, options?: CallOptions): Promise<Broadcast> =>
    call({ body: broadcast, method: 'POST', path: ['broadcasts'] }, options),

  /** Counts the users of an audience as it is now. */
  estimateBroadcast: (to: Audience, options?: CallOptions): Promise<{ readonly total: number }> =>
    call({ body: { to }, method: 'POST', path: ['broadcasts', 'estimate'] }, options),

  listBroadcasts: (
    filter: { readonly state?: TaskState } & PageOptions = {},
    options?: CallOptions
  ): Promise<BroadcastPage> => call({ method: 'GET', path: ['broadcasts'], query: { ...filter } }, options),

  getBroadcast: (broadcastId: string, options?: CallOptions): Promise<Broadcast> =>
    call({ method: 'GET', path: ['broadcasts', broadcastId] }, options),

  pauseBroadcast: (broadcastId: string, options?: CallOptions): Promise<Broadcast> =>
    call({ method: 'POST', path: ['broadcasts', broadcastId, 'pause'] }, options),

  resumeBroadcast: (broadcastId: string, options?: CallOptions): Promise<Broadcast> =>
    call({ method: 'POST', path: ['broadcasts', broadcastId, 'resume'] }, options),

  /** Ends a broadcast for ever. What was sent stays. */
  stopBroadcast: (broadcastId: string, options?: CallOptions): Promise<Broadcast> =>
    call({ method: 'POST', path: ['broadcasts', broadcastId, 'stop'] }, options),

  /** Stops it, and removes what it sent from the inboxes of all its users. Returns at once. */
  retractBroadcast: (broadcastId: string, options?: CallOptions): Promise<Broadcast> =>
    call({ method: 'POST', path: ['broadcasts', broadcastId, 'retract'] }, options)
})

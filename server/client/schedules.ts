// Schedules: sends that are stored for a later time.

import type { Call, CallOptions } from './call.ts'
import type { Channel, Instant, PageOptions } from './names.ts'
import type { SendAnswer, SendRequest } from './send.ts'

export interface Schedule {
  readonly trackingId: string
  readonly schedule: Instant
  readonly notificationId: string
  readonly subNotificationId?: string
  readonly userId: string
  /** Warnings of the requests that created and changed the schedule. */
  readonly messages: readonly string[]
  /** The send. */
  readonly request: SendRequest
}

export interface SchedulePage {
  /** The earliest first. */
  readonly schedules: readonly Schedule[]
  /** Cursor of the next page. Absent on the last page. */
  readonly next?: string
}

export interface ScheduleFilter extends PageOptions {
  readonly userId?: string
  readonly type?: string
}

export interface ScheduleAnswer extends SendAnswer {
  readonly schedule: Instant
}

/** A digest that waits. */
export interface PendingDigest {
  readonly id: string
  readonly userId: string
  readonly type: string
  readonly channel: Channel
  readonly sendsAt: Instant
  /** Notifications in it; `isAtLeast`: the count stopped there. */
  readonly items: { readonly count: number; readonly isAtLeast: boolean }
}

export interface DigestPage {
  /** The next first. */
  readonly digests: readonly PendingDigest[]
  /** Cursor of the next page. Absent on the last page. */
  readonly next?: string
}

export const scheduleCalls = (call: Call) => ({
  /** Lists the schedules of the environment. */
  listSchedules: (filter: ScheduleFilter = {}, options?: CallOptions): Promise<SchedulePage> =>
    call({ method: 'GET', path: ['schedule'], query: { ...filter } }, options),

  /** Lists the digests that wait. */
  listDigests: (page: PageOptions = {}, options?: CallOptions): Promise<DigestPage> =>
    call({ method: 'GET', path: ['digests'], query: { ...page } }, options),

  /** Returns a schedule. @throws NotifProblem 404 if it does not exist, or was sent or deleted */
  getSchedule: (trackingId: string, options?: CallOptions): Promise<Schedule> =>
    call({ method: 'GET', path: ['schedule', trackingId] }, options),

  /**
   * Changes a schedule. Each field of `change` replaces that field as a whole; the user cannot be changed.
   *
   * @throws NotifProblem 409 if the send was sent already
   */
  updateSchedule: (
    trackingId: string,
    change: Partial<SendRequest>,
    options?: CallOptions
  ): Promise<ScheduleAnswer> =>
    call({ body: change, method: 'PATCH', path: ['schedule', trackingId] }, options),

  /** Deletes a schedule. @throws NotifProblem 409 if the send was sent already */
  deleteSchedule: async (trackingId: string, options?: CallOptions): Promise<void> => {
    await call({ method: 'DELETE', path: ['schedule', trackingId] }, options)
  }
})

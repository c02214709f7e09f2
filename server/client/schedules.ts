// Sends that wait for their time.

import type { Ask, CallOptions } from './call.ts'
import type { Instant, PageOptions } from './names.ts'
import type { SendAnswer, SendRequest } from './send.ts'

export interface Schedule {
  readonly trackingId: string
  readonly schedule: Instant
  readonly notificationId: string
  readonly subNotificationId?: string
  readonly userId: string
  /** Warnings of the requests that made and changed it. */
  readonly messages: readonly string[]
  /** What will be sent. */
  readonly request: SendRequest
}

export interface SchedulePage {
  /** Those that are due first come first. */
  readonly schedules: readonly Schedule[]
  readonly next?: string
}

export interface ScheduleFilter extends PageOptions {
  readonly userId?: string
  readonly type?: string
}

export interface ScheduleAnswer extends SendAnswer {
  readonly schedule: Instant
}

export const schedules = (ask: Ask) => ({
  listSchedules: (filter: ScheduleFilter = {}, options?: CallOptions): Promise<SchedulePage> =>
    ask({ method: 'GET', path: ['schedule'], query: { ...filter } }, options),

  /** @throws NotifProblem 404 where there is none, or none any more */
  getSchedule: (trackingId: string, options?: CallOptions): Promise<Schedule> =>
    ask({ method: 'GET', path: ['schedule', trackingId] }, options),

  /**
   * Any part of a send; most often its `schedule` alone. What is given replaces that field as a whole; the user stays.
   *
   * @throws NotifProblem 409 when it was sent already
   */
  updateSchedule: (
    trackingId: string,
    change: Partial<SendRequest>,
    options?: CallOptions
  ): Promise<ScheduleAnswer> =>
    ask({ body: change, method: 'PATCH', path: ['schedule', trackingId] }, options),

  /** @throws NotifProblem 409 when it was sent already */
  deleteSchedule: async (trackingId: string, options?: CallOptions): Promise<void> => {
    await ask({ method: 'DELETE', path: ['schedule', trackingId] }, options)
  }
})

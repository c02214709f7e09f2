// What waits for its time: schedules, digests, and the first steps of an environment.

import { path, type Answer } from './client.ts'
import type { AdminScope } from './scope.ts'

export interface Schedule {
  readonly trackingId: string
  readonly schedule: string
  readonly notificationId: string
  readonly userId: string
}

export interface Digest {
  readonly userId: string
  readonly type: string
  readonly channel: string
  readonly sendsAt: string
  readonly items: { readonly count: number; readonly isAtLeast: boolean }
}

export interface FirstStep {
  readonly id: string
  readonly isDone: boolean
  readonly at?: string
  readonly trackingId?: string
  readonly userId?: string
}

export const listSchedules = (
  { api }: AdminScope,
  after: string | null,
  signal: AbortSignal
): Promise<Answer<{ readonly schedules: readonly Schedule[]; readonly next?: string }>> =>
  api.get('/schedule', { query: { count: 50, cursor: after ?? undefined }, signal })

export const deleteSchedule = ({ api }: AdminScope, id: string): Promise<Answer<unknown>> =>
  api.delete(path`/schedule/${id}`)

export const listDigests = (
  { api }: AdminScope,
  signal: AbortSignal
): Promise<Answer<{ readonly digests: readonly Digest[] }>> =>
  api.get('/digests', { query: { count: 50 }, signal })

export const readFirstSteps = (
  { api }: AdminScope,
  signal: AbortSignal
): Promise<Answer<{ readonly steps: readonly FirstStep[] }>> => api.get('/first-steps', { signal })

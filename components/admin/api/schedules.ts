// What waits for its time: schedules and digests.

import type { SchedulePage } from '../../../server/client/schedules.ts'
import { path, type Answer } from './client.ts'
import type { AdminScope } from './scope.ts'

export type { Schedule } from '../../../server/client/schedules.ts'

export interface Digest {
  readonly userId: string
  readonly type: string
  readonly channel: string
  readonly sendsAt: string
  readonly items: { readonly count: number; readonly isAtLeast: boolean }
}

export const listSchedules = (
  { api }: AdminScope,
  after: string | null,
  signal: AbortSignal
): Promise<Answer<SchedulePage>> =>
  api.get('/schedule', { query: { count: 50, cursor: after ?? undefined }, signal })

export const deleteSchedule = ({ api }: AdminScope, id: string): Promise<Answer<unknown>> =>
  api.delete(path`/schedule/${id}`)

export const listDigests = (
  { api }: AdminScope,
  signal: AbortSignal
): Promise<Answer<{ readonly digests: readonly Digest[] }>> =>
  api.get('/digests', { query: { count: 50 }, signal })

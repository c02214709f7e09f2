// What waits for its time: schedules and digests.

import type { DigestPage, SchedulePage } from '../../../server/client/schedules.ts'
import { path, type Answer } from './client.ts'
import type { AdminScope } from './scope.ts'

export type { PendingDigest, Schedule } from '../../../server/client/schedules.ts'

export const listSchedules = (
  { api }: AdminScope,
  after: string | null,
  signal: AbortSignal
): Promise<Answer<SchedulePage>> =>
  api.get('/schedule', { query: { count: 50, cursor: after ?? undefined }, signal })

export const deleteSchedule = ({ api }: AdminScope, id: string): Promise<Answer<unknown>> =>
  api.delete(path`/schedule/${id}`)

export const listDigests = ({ api }: AdminScope, signal: AbortSignal): Promise<Answer<DigestPage>> =>
  api.get('/digests', { query: { count: 50 }, signal })

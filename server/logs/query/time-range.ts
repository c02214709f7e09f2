// Resolves the time range of a log query: the requested range within the retention.

import { lowestIdAt } from '../../core/id.ts'
import { toMillis } from '../../core/instant.ts'
import type { FieldProblem } from '../../http/problem.ts'

export interface TimeRange {
  /** Milliseconds since 1970; `from` is inclusive, `to` exclusive. */
  readonly from: number
  readonly to: number
}

const DAY_MS = 86_400_000
/** A request for exactly the retention arrives a moment later. */
const TOLERANCE_MS = 60_000
/** Clocks of the nodes that create the ids may be ahead. */
const MAX_CLOCK_LEAD_MS = 5 * 60_000

/**
 * @param given - Unix times; below 10^11 they are seconds
 * @param now - milliseconds since 1970
 * @returns the range, or what is wrong with a field
 */
export function resolveTimeRange(
  given: { readonly startTime?: number | undefined; readonly endTime?: number | undefined } | undefined,
  retentionDays: number,
  now: number
): TimeRange | FieldProblem {
  const oldest = now - retentionDays * DAY_MS
  const start = given?.startTime === undefined ? oldest : toMillis(given.startTime)
  if (start < oldest - TOLERANCE_MS) {
    return {
      detail: `Logs are kept for ${retentionDays} days. Expected ${Math.ceil(oldest / 1000)} (${new Date(oldest).toISOString()}) or later.`,
      pointer: '#/dateRangeFilter/startTime'
    }
  }
  const end = given?.endTime === undefined ? now + MAX_CLOCK_LEAD_MS : toMillis(given.endTime)
  if (given?.endTime !== undefined && given.startTime !== undefined && end < start) {
    return { detail: 'Expected the startTime or later.', pointer: '#/dateRangeFilter/endTime' }
  }
  // The end is part of the range, to the millisecond.
  return { from: Math.max(start, oldest), to: Math.min(end + 1, now + MAX_CLOCK_LEAD_MS) }
}

/** Like {@link lowestIdAt}, but a valid tracking id, so that a cursor may contain it. No send has this id. */
export const lowestTrackingIdAt = (ms: number): string => lowestIdAt(ms).replace('-0000-0000-', '-7000-8000-')

/** Between the nodes: an attempt may seem older than its send by this much. */
export const MAX_CLOCK_SKEW_MS = 10 * 60_000

// The span of time that a log query may look at: what the caller asks for, within what is kept.

import { lowestIdAt } from '../../core/id.ts'
import { toMillis } from '../../core/instant.ts'
import type { FieldProblem } from '../../http/problem.ts'

export interface Range {
  /** Milliseconds since 1970; from inclusive, to exclusive. */
  readonly from: number
  readonly to: number
}

const DAY = 86_400_000
/** A caller who asks for exactly the retention period asks a moment later. */
const LEEWAY = 60_000
/** Ids are made by nodes whose clocks may be ahead. */
const AHEAD = 5 * 60_000

/**
 * @param given - Unix times; below 10^11 they are seconds (spec/wire.md 4.3)
 * @param now - milliseconds since 1970
 * @returns the range, or what is wrong with a field
 */
export function rangeOf(
  given: { readonly startTime?: number | undefined; readonly endTime?: number | undefined } | undefined,
  retentionDays: number,
  now: number
): Range | FieldProblem {
  const oldest = now - retentionDays * DAY
  const start = given?.startTime === undefined ? oldest : toMillis(given.startTime)
  if (start < oldest - LEEWAY) {
    return {
      detail: `Logs are kept for ${retentionDays} days: expected ${Math.ceil(oldest / 1000)} (${new Date(oldest).toISOString()}) or later.`,
      pointer: '#/dateRangeFilter/startTime'
    }
  }
  const end = given?.endTime === undefined ? now + AHEAD : toMillis(given.endTime)
  if (given?.endTime !== undefined && given.startTime !== undefined && end < start) {
    return { detail: 'Expected the startTime or later.', pointer: '#/dateRangeFilter/endTime' }
  }
  // The end is part of the range, to the millisecond.
  return { from: Math.max(start, oldest), to: Math.min(end + 1, now + AHEAD) }
}

/** As {@link lowestIdAt}, and a tracking id by its looks: a page may end there, and the next one begin. No send has it. */
export const edgeOf = (ms: number): string => lowestIdAt(ms).replace('-0000-0000-', '-7000-8000-')

/** Attempts are younger than their send, by the clocks of the nodes. Milliseconds. */
export const SKEW = 10 * 60_000

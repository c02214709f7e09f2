// The limits of a send (spec/interface.md "Limits") that its schema cannot hold, because each is a setting.

import type { Config } from '../config.ts'
import type { FieldProblem } from '../http/problem.ts'
import type { SendBody } from './schema.ts'

export type SendLimits = Pick<Config, 'mergeTagsWarn' | 'mergeTagsLimit' | 'scheduleLimitDays'>

const DAY = 86_400_000

/** @param now - milliseconds since 1970 */
export function limitFaults({ schedule }: SendBody, limits: SendLimits, now: number): FieldProblem[] {
  const faults: FieldProblem[] = []
  if (schedule !== undefined && Date.parse(schedule) > now + limits.scheduleLimitDays * DAY) {
    faults.push({
      detail: `Expected at most ${limits.scheduleLimitDays} days from now.`,
      pointer: '#/schedule'
    })
  }
  return faults
}

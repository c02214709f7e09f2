// Sorts the counts of one type into days. Pure.

import { stateOf } from '../stats.ts'
import type { DayCount } from './overview.sql.ts'

/** @returns deliveries that were sent and that failed, one number for each of the days */
export function countByDay(counts: readonly DayCount[], days: readonly string[]) {
  const sent = days.map(() => 0)
  const failed = days.map(() => 0)
  for (const { count, day, result } of counts) {
    const at = days.indexOf(day)
    const state = stateOf(result)
    if (at === -1 || (state !== 'sent' && state !== 'failed')) continue
    const numbers = state === 'sent' ? sent : failed
    numbers[at]! += Number(count)
  }
  return { failed, sent }
}

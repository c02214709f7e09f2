// Merges groups of dead letters: of several databases, and of the queues of one channel. Pure.

import type { DeadLetterCause } from '../../client/dead-letters.ts'
import { toChannel } from '../queues.ts'
import { MAX_COUNTED_LETTERS, type DeadLetterGroup } from './dead-letters.sql.ts'

const toCause = (groups: readonly DeadLetterGroup[], maxCount: number): DeadLetterCause => {
  const [first] = groups.toSorted((a, b) => a.firstDiedAt.getTime() - b.firstDiedAt.getTime())
  const [last] = groups.toSorted((a, b) => b.lastDiedAt.getTime() - a.lastDiedAt.getTime())
  return {
    channel: toChannel(last!.queue),
    code: last!.code,
    count: groups.reduce((sum, { count }) => sum + count, 0),
    isAtLeast: groups.some(({ count }) => count >= maxCount),
    firstDiedAt: first!.firstDiedAt.toISOString(),
    lastDiedAt: last!.lastDiedAt.toISOString(),
    exampleId: last!.exampleId
  }
}

/**
 * @param maxCount - where the counts stopped
 * @returns the largest groups first
 */
export function mergeGroups(
  groups: readonly DeadLetterGroup[],
  limit: number,
  maxCount = MAX_COUNTED_LETTERS
): { readonly all: readonly DeadLetterCause[]; readonly hasMore: boolean } {
  const byCause = Map.groupBy(groups, ({ code, queue }) => `${toChannel(queue)}\0${code}`)
  const all = [...byCause.values()].map(own => toCause(own, maxCount)).toSorted((a, b) => b.count - a.count)
  return { all: all.slice(0, limit), hasMore: all.length > limit }
}

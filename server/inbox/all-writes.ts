// Actions on all items of an inbox. Such an action changes only rows whose marks it changes, so a later write with an earlier time
// to another row is compared with these, and `undo` finds here what an action has changed.

import { MARKS, type Instant, type Mark } from '#protocol'

/** An action on all items of an inbox, as stored in `inbox_counters.all_writes`. */
export interface AllWrite {
  /** When the user acted, in milliseconds since 1970. */
  readonly at: number
  /** Version that the inbox got by it. Absent: it changed nothing, or cannot be undone. */
  readonly version?: number
  /** First and last `seq`. */
  readonly from: number
  readonly through: number
  /** Notification types. Absent: all. */
  readonly types?: readonly string[]
  readonly marks: { readonly [mark in Mark]?: Instant | null }
}

/** Actions that an inbox remembers. An action that covers less than a later one is not needed, and most do. */
const MAX_ALL_WRITES = 8

/** Types that one action may name, so that the stored actions stay small. */
export const MAX_ALL_TYPES = 200

// jsonb has an order of its own.
const isSameMarks = (one: AllWrite['marks'], other: AllWrite['marks']): boolean =>
  MARKS.every(mark => one[mark] === other[mark])

const isSame = (one: AllWrite, other: AllWrite): boolean =>
  one.at === other.at &&
  JSON.stringify([one.from, one.types]) === JSON.stringify([other.from, other.types]) &&
  isSameMarks(one.marks, other.marks)

export const addAllWrite = (earlier: readonly AllWrite[], write: AllWrite): readonly AllWrite[] =>
  [...earlier, write].sort((one, other) => one.at - other.at).slice(-MAX_ALL_WRITES)

/** Returns the stored form of an action that is repeated. */
export const findAllWrite = (earlier: readonly AllWrite[], write: AllWrite): AllWrite | undefined =>
  earlier.find(one => isSame(one, write))

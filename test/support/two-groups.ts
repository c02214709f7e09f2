// Splits the buckets of a test database into two groups, as if they were in two databases.

import type { Db, DatabaseGroup } from '../../server/db/db.ts'

const bucketsOf = (rest: number): number[] => Array.from({ length: 512 }, (_, i) => 2 * i + rest)

/** Even buckets are in one group, odd ones in the other. */
export function inTwoGroups(db: Db): Db {
  const [all] = db.groups
  const groups: readonly DatabaseGroup[] = [
    { ...all!, buckets: bucketsOf(0) },
    { ...all!, buckets: bucketsOf(1) }
  ]
  return { ...db, groups, of: bucket => groups[bucket % 2]! }
}

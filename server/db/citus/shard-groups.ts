// Makes each shard of a Citus cluster a database group, because Citus locks rows only in statements about one shard.
//
// All groups share the pools of the coordinator, which sends a statement about one shard to the node that has it, also after
// the shard moved to another one.

import { BUCKET_COUNT } from '../../core/id.ts'
import type { Db, DatabaseGroup } from '../db.ts'
import { bindToBuckets } from '../sql-helpers.ts'
import { readUserTables } from './distribute.ts'

/** @returns the same database if its tables are not distributed */
export async function groupByShard(db: Db): Promise<Db> {
  const [all] = db.groups
  const [table] = await readUserTables(db.control)
  if (!table?.isDistributed) return db
  const shards = await db.control<{ buckets: number[] }[]>`
    select array_agg(bucket order by bucket) as buckets
    from generate_series(0, ${BUCKET_COUNT - 1}::integer) as bucket
    group by get_shard_id_for_distribution_column(${table.name}, bucket::smallint)
    order by min(bucket)`
  const groups = shards.map(({ buckets }) => toGroup(all!, buckets))
  const byBucket = new Map(groups.flatMap(group => group.buckets!.map(bucket => [bucket, group] as const)))
  return { ...db, groups, of: bucket => byBucket.get(bucket)! }
}

const toGroup = (
  { exports, health, searches, sql, work }: DatabaseGroup,
  buckets: number[]
): DatabaseGroup => ({
  buckets,
  exports: bindToBuckets(exports, buckets),
  health,
  searches: bindToBuckets(searches, buckets),
  sql: bindToBuckets(sql, buckets),
  work: bindToBuckets(work, buckets)
})

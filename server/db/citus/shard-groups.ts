// Makes each shard of a Citus cluster a database group, because Citus locks rows only in statements about one shard.
//
// All groups share the pools of the coordinator, which sends a statement about one shard to the node that has it, also after
// the shard moved to another one. With NOTIF_CITUS_ROUTE=owner, groups share the pools of the node that has their shard (owners.ts).

import { BUCKET_COUNT } from '../../core/id.ts'
import type { Db, DatabaseGroup, Pools } from '../db.ts'
import { bindToBuckets } from '../sql-helpers.ts'
import { readUserTables } from './distribute.ts'
import { watchOwners, type OwnerOptions } from './owners.ts'

/**
 * @param ownerOptions - connects to the owners of the shards. Default: all statements go through the coordinator
 * @returns the same database if its tables are not distributed
 */
export async function groupByShard(db: Db, ownerOptions?: OwnerOptions): Promise<Db> {
  const [all] = db.groups
  const [table] = await readUserTables(db.control)
  if (!table?.isDistributed) return db
  const shards = await db.control<{ buckets: number[] }[]>`
    select array_agg(bucket order by bucket) as buckets
    from generate_series(0, ${BUCKET_COUNT - 1}::integer) as bucket
    group by get_shard_id_for_distribution_column(${table.name}, bucket::smallint)
    order by min(bucket)`
  const firstBuckets = shards.map(({ buckets }) => buckets[0]!)
  const owners = ownerOptions && (await watchOwners(db, table.name, firstBuckets, ownerOptions))
  const groups = shards.map(({ buckets }) =>
    toGroup(() => owners?.poolsOf(buckets[0]!) ?? all!, all!.health, buckets)
  )
  const byBucket = new Map(groups.flatMap(group => group.buckets!.map(bucket => [bucket, group] as const)))
  return {
    ...db,
    async close() {
      await Promise.all([owners?.close(), db.close()])
    },
    controlWithKeys: { sql: bindToBuckets(() => db.control, byBucket.get(0)!.buckets!) },
    groups,
    of: bucket => byBucket.get(bucket)!
  }
}

/** @param currentPools - of the node that has the shard now */
const toGroup = (
  currentPools: () => Pools,
  health: DatabaseGroup['health'],
  buckets: number[]
): DatabaseGroup => ({
  buckets,
  exports: bindToBuckets(() => currentPools().exports, buckets),
  health,
  searches: bindToBuckets(() => currentPools().searches, buckets),
  sql: bindToBuckets(() => currentPools().sql, buckets),
  work: bindToBuckets(() => currentPools().work, buckets)
})

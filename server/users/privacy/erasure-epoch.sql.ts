// The erasure epoch of a bucket and environment: each erasure increments it in its transaction. Sends compare it between reading
// their users and writing (server/send/accept/sends.sql.ts), so a stale write fails.

import type { UserKey } from '../../core/id.ts'
import type { Query, Tx } from '../../db/db.ts'
import { sharesPool } from '../../db/sql-helpers.ts'

/** The last statement of an erasure's transaction, because sends of the bucket wait for its row. */
export async function incrementErasureEpoch(tx: Tx, { bucket, envId }: UserKey): Promise<void> {
  await tx`
    insert into erasure_epochs as e (bucket, env_id, epoch) values (${bucket}, ${envId}, 1)
    on conflict (bucket, env_id) do update set epoch = e.epoch + 1`
}

const WRITING_TRANSACTIONS = `
  select distinct l.virtualtransaction as id
  from pg_locks l join pg_class c on c.oid = l.relation
  where l.locktype = 'relation' and l.mode = 'RowExclusiveLock' and l.granted and c.relkind in ('r', 'p')
    and c.relnamespace = current_schema()::regnamespace
    and l.database = (select oid from pg_database where datname = current_database())`

/**
 * Virtual transaction ids, which are not reused, of the transactions of this database that write. A transaction holds such a lock
 * before its statement reads, so all that do not see the new epoch yet are among them.
 *
 * Of a cluster, all nodes are asked: processes may write through the coordinator, the owner of the shard, or its owner of before.
 */
export async function readWritingTransactions(query: Query): Promise<string[]> {
  if (!sharesPool(query))
    return (await query.unsafe<{ id: string }[]>(WRITING_TRANSACTIONS)).map(({ id }) => id)
  const nodes = await query<{ isAnswered: boolean; node: number; result: string }[]>`
    select nodeid as node, success as "isAnswered", result from run_command_on_all_nodes(${`
      select coalesce(json_agg(id), '[]') from (${WRITING_TRANSACTIONS}) w`})`
  return nodes.flatMap(({ isAnswered, node, result }) => {
    // With the code of a connection that cannot be made.
    if (!isAnswered)
      throw Object.assign(new Error(`Node ${node} of the cluster: ${result}`), { code: '08006' })
    return (JSON.parse(result) as readonly string[]).map(id => `${node} ${id}`)
  })
}

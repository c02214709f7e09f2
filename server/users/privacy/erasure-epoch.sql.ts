// The erasure epoch of a bucket and environment: each erasure increments it in its transaction. Sends compare it between reading
// their users and writing (server/send/accept/sends.sql.ts), so a stale write fails.

import type { UserKey } from '../../core/id.ts'
import type { Query, Tx } from '../../db/db.ts'

/** The last statement of an erasure's transaction, because sends of the bucket wait for its row. */
export async function incrementErasureEpoch(tx: Tx, { bucket, envId }: UserKey): Promise<void> {
  await tx`
    insert into erasure_epochs as e (bucket, env_id, epoch) values (${bucket}, ${envId}, 1)
    on conflict (bucket, env_id) do update set epoch = e.epoch + 1`
}

/**
 * Virtual transaction ids, which are not reused, of the transactions of this database that write. A transaction holds such a lock
 * before its statement reads, so all that do not see the new epoch yet are among them.
 */
export async function readWritingTransactions(query: Query): Promise<string[]> {
  const rows = await query<{ id: string }[]>`
    select distinct l.virtualtransaction as id
    from pg_locks l join pg_class c on c.oid = l.relation
    where l.locktype = 'relation' and l.mode = 'RowExclusiveLock' and l.granted and c.relkind in ('r', 'p')
      and c.relnamespace = current_schema()::regnamespace
      and l.database = (select oid from pg_database where datname = current_database())`
  return rows.map(({ id }) => id)
}

// The fence between what is erased and those who had read it before: it moves with each erasure, in its transaction. Sends
// look at it where they read their users and where they write (server/send/accept/sends.sql.ts).

import type { UserKey } from '../../core/id.ts'
import type { Query, Tx } from '../../db/db.ts'

/** Last of an erasure's transaction, because others of the bucket wait for it. */
export async function moveFence(tx: Tx, { bucket, envId }: UserKey): Promise<void> {
  await tx`
    insert into fences as f (bucket, env_id, erased) values (${bucket}, ${envId}, 1)
    on conflict (bucket, env_id) do update set erased = f.erased + 1`
}

/**
 * Transactions of this database that write something and are not over, by a name that is never used again. Whoever writes
 * holds such a lock before its statement looks at what is there, so all who cannot see the fence yet are among them.
 */
export async function readWriters(query: Query): Promise<string[]> {
  const rows = await query<{ id: string }[]>`
    select distinct l.virtualtransaction as id
    from pg_locks l join pg_class c on c.oid = l.relation
    where l.locktype = 'relation' and l.mode = 'RowExclusiveLock' and l.granted and c.relkind in ('r', 'p')
      and c.relnamespace = current_schema()::regnamespace
      and l.database = (select oid from pg_database where datname = current_database())`
  return rows.map(({ id }) => id)
}

// Connects straight to the node of a Citus cluster that has a shard, its owner (NOTIF_CITUS_ROUTE=owner). Every node can run any
// statement about the tables of users, and the owner runs those about its shard without asking another one.
//
// Each node has pools of the same sizes as the coordinator, so no Postgres gets more connections of a process than one that stands
// alone, and a node that stands still keeps none from the others. After a move of a shard, its old owner passes statements on, until
// the next refresh finds the new one.

import type { Config } from '../../config/config.ts'
import type { Log } from '../../core/log.ts'
import { StartupError } from '../../core/startup-error.ts'
import {
  closePools,
  isPooled,
  openNodePools,
  type Address,
  type Db,
  type DbOptions,
  type Pools
} from '../db.ts'

/** How long the old owner of a shard that was moved passes its statements on. A refresh costs about a millisecond. */
const REFRESH_INTERVAL_MS = 10_000

export interface OwnerOptions extends DbOptions {
  readonly log: Log
}

export interface Owners {
  /** Returns the pools of the node that has the shard of this bucket. */
  poolsOf(bucket: number): Pools
  /** Closes the pools of all nodes but the coordinator. */
  close(): Promise<void>
}

/** @throws {@link StartupError} if a pooler is in front: it would lie in front of the coordinator only */
export function assertRoute(route: Config['citusRoute'], address: Address): void {
  if (route === 'owner' && isPooled(address)) {
    throw new StartupError(
      'NOTIF_CITUS_ROUTE: owner connects to the workers themselves, but DATABASE_URL is the address of a pooler. ' +
        'Set it to the direct address of the coordinator and unset DATABASE_LISTEN_URL, or set NOTIF_CITUS_ROUTE=coordinator.'
    )
  }
}

interface Owner {
  readonly bucket: number
  readonly host: string
  readonly port: number
  readonly isCoordinator: boolean
}

const readOwners = (control: Db['control'], table: string, buckets: readonly number[]): Promise<Owner[]> =>
  control<Owner[]>`
    select b.bucket, n.nodename as host, n.nodeport as port, n.groupid = 0 as "isCoordinator"
    from unnest(${buckets as number[]}::smallint[]) as b(bucket)
    join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column(${table}, b.bucket) and p.shardstate = 1
    join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'`

/** User, password, database and parameters are those of the coordinator. */
function toNodeUrl(url: string, { host, port }: Owner): string {
  const address = new URL(url)
  address.hostname = host.includes(':') ? `[${host}]` : host
  address.port = String(port)
  return address.href
}

/**
 * Reads the owners of shards, and then every ten seconds until `close`. Opens no connection to a worker, which may be down.
 *
 * @param table - one of the distributed tables, whose shards stand side by side
 * @param buckets - one of each shard
 */
export async function watchOwners(
  db: Pick<Db, 'control' | 'groups'>,
  table: string,
  buckets: readonly number[],
  options: OwnerOptions
): Promise<Owners> {
  const log = options.log.child({ component: 'citus' })
  const coordinator = db.groups[0]!
  const poolsByUrl = new Map<string, Pools>()
  const owners = new Map<number, Pools>()
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  const openPools = (owner: Owner): Pools => {
    if (owner.isCoordinator) return coordinator
    const url = toNodeUrl(options.url, owner)
    const pools = poolsByUrl.get(url) ?? openNodePools(options, url)
    poolsByUrl.set(url, pools)
    return pools
  }
  const refresh = async (): Promise<void> => {
    for (const owner of await readOwners(db.control, table, buckets)) {
      if (isClosed) return
      const { bucket, host, port } = owner
      const before = owners.get(bucket)
      const pools = openPools(owner)
      owners.set(bucket, pools)
      if (before !== undefined && before !== pools)
        log.info(
          { bucket, event: 'shard_moved', host, port },
          'a shard is on another node of the cluster; its statements go there'
        )
    }
  }
  const scheduleRefresh = (): void => {
    timer = setTimeout(async () => {
      // If the coordinator is down, the known owners stay.
      await refresh().catch((err: unknown) =>
        log.debug(
          { err, event: 'owners_unknown' },
          'could not read the owners of shards; reads them again in 10 s'
        )
      )
      if (!isClosed) scheduleRefresh()
    }, REFRESH_INTERVAL_MS).unref()
  }
  await refresh()
  scheduleRefresh()
  return {
    async close() {
      isClosed = true
      clearTimeout(timer)
      await closePools([...poolsByUrl.values()].flatMap(pools => Object.values(pools)))
    },
    poolsOf: bucket => owners.get(bucket) ?? coordinator
  }
}

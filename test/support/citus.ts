// Runs tests on a Citus cluster: each database of a test exists on the coordinator and on every worker.

import { randomBytes } from 'node:crypto'

import postgres from 'postgres'

export const withDatabase = (url: string, name: string): string => {
  const address = new URL(url)
  address.pathname = `/${name}`
  return address.href
}

type Run = <T>(url: string, work: (sql: postgres.Sql) => Promise<T>) => Promise<T>

const connected: Run = async (url, work) => {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    return await work(sql)
  } finally {
    await sql.end()
  }
}

/**
 * Returns the addresses of all nodes of the cluster, the coordinator first. Without Citus, only the address itself.
 *
 * @param sql - a connection to `url`
 */
export async function nodesOf(sql: postgres.Sql, url: string): Promise<readonly string[]> {
  const [found] = await sql`select to_regclass('pg_dist_node') is not null as "isCluster"`
  if (!found!['isCluster']) return [url]
  const workers = await sql<{ host: string; port: number }[]>`
    select nodename as host, nodeport as port from pg_dist_node where groupid > 0 order by groupid`
  return [
    url,
    ...workers.map(({ host, port }) => Object.assign(new URL(url), { host: `${host}:${port}` }).href)
  ]
}

/** Runs a statement on each node. */
export const onAll = async (nodes: readonly string[], statement: string): Promise<void> => {
  await Promise.all(nodes.map(node => connected(node, sql => sql.unsafe(statement))))
}

/** Makes the database, which exists on all nodes, part of the cluster. */
export async function joinCluster(nodes: readonly string[], name: string): Promise<void> {
  const own = nodes.map(node => withDatabase(node, name))
  await onAll(own, 'create extension citus')
  await connected(own[0]!, async sql => {
    const [coordinator, ...workers] = nodes.map(node => new URL(node))
    await sql`select citus_set_coordinator_host(${coordinator!.hostname}, ${Number(coordinator!.port)})`
    for (const { hostname, port } of workers) await sql`select citus_add_node(${hostname}, ${Number(port)})`
  })
}

interface LockTarget {
  readonly name: string
  readonly url: string
}

/** Returns the shards of a table, or the table itself without Citus. */
async function lockTargetsOf(url: string, table: string): Promise<readonly LockTarget[]> {
  return connected(url, async sql => {
    if ((await nodesOf(sql, url)).length === 1) return [{ name: table, url }]
    const shards = await sql<{ name: string; host: string; port: number }[]>`
      select shard_name as name, nodename as host, nodeport as port from citus_shards
      where table_name = ${table}::regclass`
    return shards.map(({ host, name, port }) => ({
      name,
      url: Object.assign(new URL(url), { host: `${host}:${port}` }).href
    }))
  })
}

/**
 * Locks a table against readers during `work`. On a cluster, locks its shards where they are: the coordinator locks every partition of
 * a table that it reads, also those that no statement on a worker is planned over.
 *
 * @param url - of the database, on the coordinator
 */
export async function whileLocked(url: string, table: string, work: () => Promise<void>): Promise<void> {
  const lockRest = async ([target, ...rest]: readonly LockTarget[]): Promise<void> => {
    if (target === undefined) return work()
    await connected(target.url, sql =>
      sql.begin(async tx => {
        // Unknown to a Postgres without Citus, and then without an effect.
        await tx`select set_config('citus.enable_manual_changes_to_shards', 'on', true)`
        await tx.unsafe(`lock table ${target.name} in access exclusive mode`)
        await lockRest(rest)
      })
    )
  }
  await lockRest(await lockTargetsOf(url, table))
}

/** Ends the background process of Citus in the database, which would keep it from being a template, for good. */
export const closeDatabase = async (nodes: readonly string[], name: string): Promise<void> => {
  await onAll(nodes, `alter database ${name} with allow_connections false`)
  await onAll(
    nodes,
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}' and pid <> pg_backend_pid()`
  )
}

/** Drops the database on all nodes. */
export async function dropDatabase(nodes: readonly string[], name: string): Promise<void> {
  if (nodes.length > 1) await closeDatabase(nodes, name)
  await onAll(nodes, `drop database ${name} with (force)`)
}

export interface ClusterDatabase extends AsyncDisposable {
  readonly url: string
  /** Makes the database part of the cluster. */
  join(): Promise<void>
}

/** Creates an empty database on each node, which `await using` drops. It is plain Postgres until it joins the cluster. */
export async function emptyDatabase(url: string): Promise<ClusterDatabase> {
  const nodes = await connected(url, sql => nodesOf(sql, url))
  const name = `e_${randomBytes(6).toString('hex')}`
  await onAll(nodes, `create database ${name}`)
  return {
    [Symbol.asyncDispose]: () => dropDatabase(nodes, name),
    join: () => joinCluster(nodes, name),
    url: withDatabase(url, name)
  }
}

/** Returns why tests of Citus must skip, or undefined. `npm run test:citus` starts a cluster. */
export async function whyNoCitus(url: string | undefined): Promise<string | undefined> {
  const isCluster = url !== undefined && (await connected(url, sql => nodesOf(sql, url))).length > 1
  return isCluster ? undefined : 'DATABASE_URL is not the coordinator of a Citus cluster'
}

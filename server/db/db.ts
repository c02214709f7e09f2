// Opens the connection pools of a database group. Other code reaches a database only through its groups.

import type { PendingQuery, Row, Sql as PostgresSql, TransactionSql } from 'postgres'

import { SEARCH_CONNECTIONS } from '../config/connections.ts'
import { connect } from './connect.ts'
import { createLiveness } from './liveness.ts'

/** Values that a jsonb column can hold. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json | undefined }

export type Sql = PostgresSql
export type Tx = TransactionSql
/** A pool, or a transaction of it. */
export type Query = Sql | Tx
/** Part of a statement, which is never awaited by itself. */
export type Fragment = PendingQuery<Row[]>

/**
 * A database and the buckets that it owns. A transaction, a claim and a finish touch one group only. `buckets` is null if
 * the group owns all of them. Statements check them with `inGroup` (sql-helpers.ts).
 */
export interface DatabaseGroup {
  readonly buckets: number[] | null
  /** For requests. */
  readonly sql: Sql
  /** For queues and housekeeping: a pool of their own, so that many requests cannot delay results. */
  readonly work: Sql
  /** For exports of personal data: each holds its connection as long as its reader takes, so these have their own pool. */
  readonly exports: Sql
  /** For searches of the log, which may take seconds: a pool of their own, so that they do not delay requests. */
  readonly searches: Sql
  /** For health checks alone, which nothing may delay. */
  readonly health: Sql
}

/** The pools of a database, or of one node of a cluster, whose statements are about users. */
export type Pools = Pick<DatabaseGroup, 'exports' | 'searches' | 'sql' | 'work'>

export interface Db {
  /** Returns the group that owns a bucket: the only way to the data of its users. */
  of(bucket: number): DatabaseGroup
  readonly groups: readonly DatabaseGroup[]
  /** For tables without a bucket: environments, types, templates, instance, ticks, migrations, locks. */
  readonly control: Sql
  /** The same database, for transactions that also store an idempotency key of no user, which is in bucket 0. */
  readonly controlWithKeys: Pick<DatabaseGroup, 'sql'>
  /** The same database, for what queues and housekeeping do there, such as partitions: {@link DatabaseGroup.work} may be another node. */
  readonly controlWork: Sql
  /** Address of the LISTEN connection, which cannot go through a pooler. */
  readonly listenUrl: string
  close(): Promise<void>
}

export interface Address {
  readonly url: string
  /** The same as `url`, unless that is the address of a pooler. Empty if this process has no LISTEN connection. */
  readonly listenUrl: string
}

export interface DbOptions extends Address {
  /** Connections for requests; queues get half as many, at least 2. */
  readonly connections: number
  /** For {@link DatabaseGroup.exports}. Default: 1. */
  readonly exportConnections?: number
}

const SHARED = {
  // Seconds. The driver's default waits up to 20 s, too long for a database that restarts.
  backoff: (retries: number) => Math.min(1, 0.05 * 2 ** retries),
  connect_timeout: 10,
  max_lifetime: null,
  onnotice: () => {},
  types: {
    // Versions are milliseconds and counters are small, so both are exact as numbers.
    bigint: { from: [20], parse: Number, serialize: String, to: 20 }
  }
}

/**
 * Every statement finds its rows by an index. While a table is empty, a plan that reads all of it looks cheap, and prepared
 * statements keep that plan until the first ANALYZE. Sequential scans are off for that reason; JIT is off because a table
 * that must be read as a whole now seems expensive enough for it.
 */
const PLANS = { enable_seqscan: 'off', jit: 'off' }

/**
 * How long a transaction may wait for its next statement. Otherwise a node that stands still, or whose connection died, would
 * keep its locks until TCP gives up after hours.
 */
const IDLE_TRANSACTION_TIMEOUT_MS = 10_000

const SESSION = { ...PLANS, idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS }

/** Whether `url` is the address of a pooler, which gives each transaction another backend. */
export const isPooled = ({ url, listenUrl }: Address): boolean => listenUrl !== '' && listenUrl !== url

/**
 * A pooler refuses settings at the start of a session (the role has them: pooler.ts) and may not know a statement that
 * was prepared on the backend before. The process ids that it gives belong to no backend, so liveness cannot be checked.
 * One query at a time: pgbouncer may lose the answer to a second one that follows the first (pgbouncer issue 759).
 */
const POOLED = { max_pipeline: 0, prepare: false }

export const sessionSettings = (
  address: Address,
  name: string,
  statementTimeoutMs: number
): Record<string, string | number> => ({
  ...(!isPooled(address) && { ...SESSION, statement_timeout: statementTimeoutMs }),
  application_name: `notif-kit ${name}`
})

export const poolSizes = ({
  connections,
  exportConnections = 1
}: Pick<DbOptions, 'connections' | 'exportConnections'>) => ({
  api: connections,
  exports: exportConnections,
  health: 1,
  searches: SEARCH_CONNECTIONS,
  work: Math.max(2, Math.ceil(connections / 2))
})

/** Opens a pool. Its connections are opened when they are needed. */
type OpenPool = (name: string, statementTimeoutMs: number, max: number, idleTimeoutSeconds?: number) => Sql

/** @param url - default: that of the options */
function poolOpener(options: DbOptions, url: string = options.url): OpenPool {
  const connectOptions = isPooled(options) ? POOLED : { liveness: createLiveness(url) }
  return (name, statementTimeoutMs, max, idleTimeoutSeconds = 0) =>
    connect(url, {
      ...SHARED,
      ...connectOptions,
      connection: sessionSettings(options, name, statementTimeoutMs),
      idle_timeout: idleTimeoutSeconds,
      max
    })
}

function openPools(options: DbOptions, pool: OpenPool): Pools {
  const sizes = poolSizes(options)
  return {
    exports: pool('exports', 15_000, sizes.exports, 10),
    searches: pool('searches', 5_000, sizes.searches, 10),
    sql: pool('api', 5_000, sizes.api),
    work: pool('work', 15_000, sizes.work)
  }
}

/** Opens the pools of another node of a cluster. @param url - of the node */
export const openNodePools = (options: DbOptions, url: string): Pools =>
  openPools(options, poolOpener(options, url))

/** Waits up to 5 s for statements in progress. */
export const closePools = async (pools: readonly Sql[]): Promise<void> => {
  await Promise.all(pools.map(pool => pool.end({ timeout: 5 })))
}

/** Opens a database that owns every bucket. */
export function openDb(options: DbOptions): Db {
  const pool = poolOpener(options)
  const pools = openPools(options, pool)
  const health = pool('health', 1_000, poolSizes(options).health)
  const group: DatabaseGroup = { ...pools, buckets: null, health }
  return {
    close: () => closePools([...Object.values(pools), health]),
    control: pools.sql,
    controlWithKeys: group,
    controlWork: pools.work,
    groups: [group],
    listenUrl: options.listenUrl,
    of: () => group
  }
}

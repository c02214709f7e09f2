// The way to a database: pools by bucket group, never a pool by itself.

import type { PendingQuery, Row, Sql as PostgresSql, TransactionSql } from 'postgres'

import { connect } from './connect.ts'
import { createLiveness } from './liveness.ts'

/** Values that a row may hold as jsonb. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json | undefined }

export type Sql = PostgresSql
export type Tx = TransactionSql
/** A pool or a transaction of it. */
export type Query = Sql | Tx
/** Part of a statement; never awaited by itself. */
export type Fragment = PendingQuery<Row[]>

/**
 * The buckets that one database holds. A transaction, a claim and a finish touch one group, never two.
 * `buckets` is null when the group holds all of them. Statements name them by `inGroup` (sql-helpers.ts).
 */
export interface Group {
  readonly buckets: number[] | null
  /** For requests. */
  readonly sql: Sql
  /** For queues and house-keeping, apart from requests so that a full API cannot starve the acks. */
  readonly work: Sql
  /** For exports of personal data: each holds its connection as long as its reader takes, so these have their own pool. */
  readonly exports: Sql
}

export interface Db {
  /** The only way to a user's data. */
  of(bucket: number): Group
  readonly groups: readonly Group[]
  /** The one named place of what has no bucket: environments, types, templates, instance, ticks, migrations, locks. */
  readonly control: Sql
  /** Address for the connection that LISTENs; not a pooler's. */
  readonly listenUrl: string
  close(): Promise<void>
}

export interface Address {
  readonly url: string
  /** The same, unless `url` is a pooler's; empty where nobody listens. */
  readonly listenUrl: string
}

export interface DbOptions extends Address {
  /** Connections for requests; queues get half as many, at least 2. */
  readonly connections: number
  /** For {@link Group.exports}. Default: 1. */
  readonly exportConnections?: number
}

const SHARED = {
  // The library waits up to 20 s between attempts; a database that is back should be used at once.
  backoff: (retries: number) => Math.min(1, 0.05 * 2 ** retries),
  connect_timeout: 10,
  max_lifetime: null,
  onnotice: () => {},
  types: {
    // Versions are milliseconds and counters small: both are exact as numbers.
    bigint: { from: [20], parse: Number, serialize: String, to: 20 }
  }
}

/**
 * Every statement looks rows up by an index. A plan that reads a whole table looks cheap while the table is empty, and
 * prepared statements keep it until the table's first ANALYZE: until then each group of sends read all inbox heads
 * (at 30,000 of them this cost four fifths of the database's time). Without JIT, because a table that must be read whole
 * now has a price that would call for it.
 */
const PLANS = { enable_seqscan: 'off', jit: 'off' }

/**
 * Milliseconds that a transaction may wait for its next statement. A node that stands still, or whose line died, would
 * keep the inboxes and keys that it has locked from every other node until TCP gives up, which takes hours.
 */
const IDLE_IN_TRANSACTION = 10_000

const SESSION = { ...PLANS, idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION }

/** Whether an address other than the direct one leads through a pooler, which lends a backend for one transaction. */
export const isPooled = ({ url, listenUrl }: Address): boolean => listenUrl !== '' && listenUrl !== url

/**
 * A pooler refuses settings at the start of a session (the role has them: pooler.ts) and may not know a statement that
 * was prepared on the backend before. The process ids that it gives belong to no backend, so liveness cannot be checked.
 * One query at a time: pgbouncer may lose the answer to a second one that follows the first (pgbouncer issue 759).
 */
const POOLED = { max_pipeline: 0, prepare: false }

/** @param limit - milliseconds of one statement */
export const sessionOf = (
  address: Address,
  name: string,
  limit: number
): Record<string, string | number> => ({
  ...(!isPooled(address) && { ...SESSION, statement_timeout: limit }),
  application_name: `notif-kit ${name}`
})

/** Connections of each pool. */
export const poolsOf = ({
  connections,
  exportConnections = 1
}: Pick<DbOptions, 'connections' | 'exportConnections'>) => ({
  api: connections,
  exports: exportConnections,
  work: Math.max(2, Math.ceil(connections / 2))
})

/** One Postgres holding every bucket. */
export function openDb(options: DbOptions): Db {
  const { url, listenUrl } = options
  const most = poolsOf(options)
  const how = isPooled(options) ? POOLED : { liveness: createLiveness(url) }
  const pool = (name: string, limit: number, max: number, idle = 0): Sql =>
    connect(url, {
      ...SHARED,
      ...how,
      connection: sessionOf(options, name, limit),
      idle_timeout: idle,
      max
    })
  const sql = pool('api', 5_000, most.api)
  const work = pool('work', 15_000, most.work)
  const exports = pool('exports', 15_000, most.exports, 10)
  const group: Group = { buckets: null, exports, sql, work }
  return {
    close: async () => {
      await Promise.all([sql, work, exports].map(one => one.end({ timeout: 5 })))
    },
    control: sql,
    groups: [group],
    listenUrl,
    of: () => group
  }
}

// Finds connections whose other end is gone: asks the database whether their backends still work.
//
// A half-open connection looks like one that waits for a slow statement, so the question goes over a new connection. Long
// statements (an erasure, a migration) are waited for as long as they work. A backend that waits for input while we wait
// for its answer never got our query: it is terminated, because its locks would stay.

import { setTimeout as pause } from 'node:timers/promises'

import type { PendingQuery, Sql } from 'postgres'

import { connect, type Liveness } from './connect.ts'

const CHECK_AFTER_MS = 3_000
const CHECK_TIMEOUT_MS = 3_000

/** How long a backend that was found waiting may be terminated after its connection closed. */
const TERMINATE_WITHIN_MS = 1_000

type BackendRows = readonly { readonly pid: number }[]

/** Runs one query on a connection of its own. @throws if the database cannot be reached */
async function queryOnce(
  url: string,
  query: (sql: Sql) => PendingQuery<{ pid: number }[]>
): Promise<BackendRows> {
  const sql = connect(url, {
    connect_timeout: CHECK_TIMEOUT_MS / 1000,
    connection: { application_name: 'notif-kit liveness' },
    fetch_types: false,
    max: 1,
    onnotice: () => {}
  })
  const pending = query(sql)
  try {
    return (await Promise.race([pending, pause(CHECK_TIMEOUT_MS, undefined, { ref: false })])) ?? []
  } finally {
    pending.catch(() => {})
    void sql.end({ timeout: 0 })
  }
}

/** A backend of Citus that waits for the answer of another node seems to wait for its client. */
const readActiveBackends = (url: string): Promise<BackendRows> =>
  queryOnce(
    url,
    sql => sql`
      select pid from pg_stat_activity where state = 'active' and (wait_event_type is distinct from 'Client'
        or wait_event = 'ClientRead' and exists (select from pg_extension where extname = 'citus'))`
  )

/**
 * Terminates backends of this server that have waited for input since the check: a process id may belong to another
 * backend by now. MATERIALIZED, or the planner may terminate backends before it applies the conditions.
 */
const terminateWaiting = (url: string, pids: readonly number[]): Promise<BackendRows> =>
  queryOnce(
    url,
    sql => sql`
      with waiting as materialized (
        select pid from pg_stat_activity
        where pid = any(${`{${pids.join()}}`}::int[]) and datname = current_database() and usename = current_user
          and application_name like 'notif-kit %' and wait_event_type = 'Client'
          and state_change < now() - make_interval(secs => ${(CHECK_AFTER_MS - 500) / 1000}))
      select pid from waiting where pg_terminate_backend(pid)`
  )

/** Connections that are checked at the same time share one query. */
export function createLiveness(url: string): Liveness {
  let activeBackends: Promise<ReadonlySet<number>> | undefined
  const idleClosers: Liveness['idleClosers'] = new Set()
  const waitingPids = new Set<number>()
  let closedPids: number[] = []
  const terminateClosed = (): void => {
    // If the database cannot be reached, it ends idle transactions by itself (db.ts).
    terminateWaiting(url, closedPids).catch(() => {})
    closedPids = []
  }
  const closeSuspects = (): void => {
    // Half of the time-out: another connection may have got its last data just before this one sent its query.
    const since = performance.now() - CHECK_AFTER_MS / 2
    for (const closeIfIdle of idleClosers) closeIfIdle(since)
  }
  return {
    closeSuspects,
    idleClosers,
    async isBackendActive(pid) {
      activeBackends ??= readActiveBackends(url)
        .catch((): BackendRows => [])
        .then(rows => new Set(rows.map(row => row.pid)))
        .finally(() => (activeBackends = undefined))
      const isActive = (await activeBackends).has(pid)
      if (!isActive) {
        waitingPids.add(pid)
        setTimeout(() => waitingPids.delete(pid), TERMINATE_WITHIN_MS).unref()
        // Idle connections close before this one does: its caller queries again at once and would get one of them.
        closeSuspects()
        await pause(1)
      }
      return isActive
    },
    onClose(pid) {
      if (waitingPids.delete(pid) && closedPids.push(pid) === 1) setImmediate(terminateClosed)
    },
    timeoutMs: CHECK_AFTER_MS
  }
}

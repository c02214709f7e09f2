// A connection that has been silent for a while: does its backend still work on the answer, or is the line dead?
//
// Asked on a fresh connection, because a line whose other end vanished without a word looks like one that waits for a
// slow statement. Long statements (an erasure, a migration) are waited for as long as they work; a backend that waits
// for our next word while we wait for its answer does not. What it has locked would stay locked: it is ended.

import { setTimeout as pause } from 'node:timers/promises'

import type { PendingQuery, Sql } from 'postgres'

import { connect, type Silence } from './connect.ts'

/** Milliseconds. */
const SILENT = 3_000
const PATIENCE = 3_000

/** How long a backend that was found idle may be ended for it: longer than it takes to close our end. Milliseconds. */
const DOUBT = 1_000

type Pids = readonly { readonly pid: number }[]

/** On a connection of its own. @throws where the database cannot be reached */
async function ask(url: string, question: (sql: Sql) => PendingQuery<{ pid: number }[]>): Promise<Pids> {
  const sql = connect(url, {
    connect_timeout: PATIENCE / 1000,
    connection: { application_name: 'notif-kit silence' },
    fetch_types: false,
    max: 1,
    onnotice: () => {}
  })
  const asked = question(sql)
  try {
    return (await Promise.race([asked, pause(PATIENCE, undefined, { ref: false })])) ?? []
  } finally {
    asked.catch(() => {})
    void sql.end({ timeout: 0 })
  }
}

const readWorking = (url: string): Promise<Pids> =>
  ask(
    url,
    sql => sql`
      select pid from pg_stat_activity where state = 'active' and wait_event_type is distinct from 'Client'`
  )

/**
 * Only ours, and only those that wait for a word since then: a number may have gone to another since. MATERIALIZED, or
 * the planner may end backends before it has looked which.
 */
const endWaiting = (url: string, pids: readonly number[]): Promise<Pids> =>
  ask(
    url,
    sql => sql`
      with waiting as materialized (
        select pid from pg_stat_activity
        where pid = any(${`{${pids.join()}}`}::int[]) and datname = current_database() and usename = current_user
          and application_name like 'notif-kit %' and wait_event_type = 'Client'
          and state_change < now() - make_interval(secs => ${(SILENT - 500) / 1000}))
      select pid from waiting where pg_terminate_backend(pid)`
  )

/** Many connections that fall silent together ask once. */
export function watchSilence(url: string): Silence {
  let asking: Promise<ReadonlySet<number>> | undefined
  const idle: Silence['idle'] = new Set()
  const doubted = new Set<number>()
  let ending: number[] = []
  const end = (): void => {
    // Where the database cannot be reached either, it ends idle transactions by itself (sql.ts).
    endWaiting(url, ending).catch(() => {})
    ending = []
  }
  const suspect = (): void => {
    // Half of the silence: a line may have spoken its last word just before this one was asked its question.
    const since = performance.now() - SILENT / 2
    for (const reopen of idle) reopen(since)
  }
  return {
    closed(pid) {
      if (doubted.delete(pid) && ending.push(pid) === 1) setImmediate(end)
    },
    idle,
    ms: SILENT,
    suspect,
    async works(pid) {
      asking ??= readWorking(url)
        .catch((): Pids => [])
        .then(rows => new Set(rows.map(row => row.pid)))
        .finally(() => (asking = undefined))
      const works = (await asking).has(pid)
      if (!works) {
        doubted.add(pid)
        setTimeout(() => doubted.delete(pid), DOUBT).unref()
        // Their ends are heard before this one's: who reads on it reads again at once, and would take one of them.
        suspect()
        await pause(1)
      }
      return works
    }
  }
}

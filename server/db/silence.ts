// A connection that has been silent for a while: does its backend still work on the answer, or is the line dead?
//
// Asked on a fresh connection, because a line whose other end vanished without a word looks like one that waits for a
// slow statement. Long statements (an erasure, a migration) are waited for as long as they work.

import { setTimeout as pause } from 'node:timers/promises'

import { connect } from './sql.ts'

export interface Silence {
  /** Milliseconds without a word after which it is asked. */
  readonly ms: number
  /** @param pid - of the backend */
  works(pid: number): Promise<boolean>
  /** Of each connection: to be opened anew when it is idle and has not said anything since. `performance.now()` */
  readonly idle: Set<(since: number) => void>
  /** A line was dead: the idle ones may be, too, and whoever takes one would wait for nothing again. */
  suspect(): void
}

/** Milliseconds. */
const SILENT = 3_000
const PATIENCE = 3_000

/** Pids of backends that are at work. @throws where the database cannot be reached */
async function readWorking(url: string): Promise<ReadonlySet<number>> {
  const sql = connect(url, {
    connect_timeout: PATIENCE / 1000,
    connection: { application_name: 'notif-kit silence' },
    fetch_types: false,
    max: 1,
    onnotice: () => {}
  })
  const asked = sql<{ pid: number }[]>`select pid from pg_stat_activity where state = 'active'`
  try {
    const rows = await Promise.race([asked, pause(PATIENCE, undefined, { ref: false })])
    return new Set(rows?.map(({ pid }) => pid))
  } finally {
    asked.catch(() => {})
    void sql.end({ timeout: 0 })
  }
}

/** Many connections that fall silent together ask once. */
export function watchSilence(url: string): Silence {
  let asking: Promise<ReadonlySet<number>> | undefined
  const idle: Silence['idle'] = new Set()
  return {
    idle,
    ms: SILENT,
    suspect() {
      // Half of the silence: a line may have spoken its last word just before this one was asked its question.
      const since = performance.now() - SILENT / 2
      for (const reopen of idle) reopen(since)
    },
    async works(pid) {
      asking ??= readWorking(url)
        .catch(() => new Set<number>())
        .finally(() => (asking = undefined))
      return (await asking).has(pid)
    }
  }
}

// What one send costs the database, in figures that do not depend on how busy the machine is.

import postgres from 'postgres'

import { sendLoad } from './accept.ts'
import { serve } from './server.ts'
import { countStatements } from './statements.ts'

/** Statements of a batch whose sends have no idempotency keys and no rate control: one reads contacts, one writes. */
const GROUP = 2

export interface Cost {
  readonly statementsPerSend: number
  /** Pages of tables and indexes that were looked at, in memory or on disk. */
  readonly buffersPerSend: number
  readonly walBytesPerSend: number
  readonly sendsPerGroup: number
}

interface Totals {
  readonly wal: number
  readonly buffers: number
  readonly sends: number
}

/** The server's connections must be closed before: only then has each of them reported what it did. */
async function totals(url: string): Promise<Totals> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    const [row] = await sql<Totals[]>`
      select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as wal,
        (select sum(heap_blks_read + heap_blks_hit + coalesce(idx_blks_read + idx_blks_hit, 0))::float8
          from pg_statio_user_tables) as buffers,
        (select count(*)::float8 from sends) as sends`
    return row!
  } finally {
    await sql.end()
  }
}

async function measure(url: string, connections: number): Promise<Cost> {
  await using proxy = await countStatements(url)
  const before = await totals(url)
  let statements = 0
  {
    await using server = await serve(proxy.url, { NOTIF_ROLE: 'api' })
    // The type is made, statements are prepared, the page images of a checkpoint are behind us.
    await sendLoad(server, connections, 1)
    const from = proxy.counts.statements
    const sends = await sendLoad(server, connections, 2)
    statements = (proxy.counts.statements - from) / sends.requests
  }
  const after = await totals(url)
  const sends = after.sends - before.sends
  return {
    buffersPerSend: (after.buffers - before.buffers) / sends,
    sendsPerGroup: GROUP / statements,
    statementsPerSend: statements,
    walBytesPerSend: (after.wal - before.wal) / sends
  }
}

/** Sends one after the other, and of 32 callers at once. */
export async function costOf(url: string): Promise<{ readonly alone: Cost; readonly together: Cost }> {
  return { alone: await measure(url, 1), together: await measure(url, 32) }
}

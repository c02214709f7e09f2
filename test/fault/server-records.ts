// Reads the server's own records of a run: the log of attempts, and the results that fencing rejected.

import type { Sql } from '../../server/db/db.ts'
import type { Life } from './cluster.ts'

export interface Tried {
  /** Tracking id. */
  readonly send: string
  readonly delivery: string
  /** `sent`: acknowledged; `lost`: no result was reported; `uncertain`: the outcome is unknown. */
  readonly outcome: 'sent' | 'lost' | 'uncertain'
  /** Reference in the acknowledgement. */
  readonly ref: string | null
}

export interface Refused {
  /** Number of the node with the late result. */
  readonly node: number
  readonly delivery: string
}

/** @returns logged attempts that a provider may have accepted */
export const triesIn = (sql: Sql): Promise<Tried[]> => sql<Tried[]>`
  select send_id as send, delivery_id as delivery, outcome, provider_ref as ref
  from attempts where outcome in ('sent', 'lost', 'uncertain')`

/** Skips a log line that was cut by a kill. */
function fencedRowsIn(line: string): readonly string[] {
  if (!line.includes('results_fenced')) return []
  try {
    return (JSON.parse(line) as { rowIds: readonly string[] }).rowIds
  } catch {
    return []
  }
}

/** @returns late results that nodes logged because their claim had ended */
export const refusalsOf = (lives: ReadonlyMap<number, Life>): Refused[] =>
  [...lives].flatMap(([node, { process }]) =>
    process
      .output()
      .split('\n')
      .flatMap(fencedRowsIn)
      .map(delivery => ({ delivery, node }))
  )

// What the product itself says of a storm afterwards: the log of its tries, and the reports that the fence refused.

import type { Sql } from '../../server/db/db.ts'
import type { Life } from './cluster.ts'

export interface Tried {
  /** Tracking id. */
  readonly send: string
  readonly delivery: string
  /** sent: a yes that was heard; lost: nobody reported; uncertain: nobody knows what the provider did. */
  readonly outcome: 'sent' | 'lost' | 'uncertain'
  /** What the yes named. */
  readonly ref: string | null
}

export interface Refused {
  /** Number of the node that was late. */
  readonly node: number
  readonly delivery: string
}

/** @returns what was logged of tries that a provider may have taken */
export const triesIn = (sql: Sql): Promise<Tried[]> => sql<Tried[]>`
  select send_id as send, delivery_id as delivery, outcome, provider_ref as ref
  from attempts where outcome in ('sent', 'lost', 'uncertain')`

/** A line that a kill has cut in two says nothing. */
function fencedRowsIn(line: string): readonly string[] {
  if (!line.includes('results_fenced')) return []
  try {
    return (JSON.parse(line) as { rowIds: readonly string[] }).rowIds
  } catch {
    return []
  }
}

/** @returns what nodes have said of claims that were not theirs any more when they reported */
export const refusalsOf = (lives: ReadonlyMap<number, Life>): Refused[] =>
  [...lives].flatMap(([node, { process }]) =>
    process
      .output()
      .split('\n')
      .flatMap(fencedRowsIn)
      .map(delivery => ({ delivery, node }))
  )

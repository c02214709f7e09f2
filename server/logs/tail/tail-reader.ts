// Finds the sends of one environment that came since the last look, whichever node accepted them.

import { timeInId } from '../../core/id.ts'
import type { Db } from '../../db/db.ts'
import { readTail, type TailedSend } from './tail.sql.ts'

/** A send is committed later than the time in its id says, and clocks of nodes differ. */
const OVERLAP_MS = 5_000
/** Sends of one look that are shown: the newest ones. */
export const MAX_SHOWN = 50
/** Rows of one look, with those of the overlap, which were shown before. */
const MAX_READ = 300

export interface TailBatch {
  /** The newest first. */
  readonly sends: readonly TailedSend[]
  /** There were more than are shown. */
  readonly isCut: boolean
}

export interface TailReader {
  readNew(now: number): Promise<TailBatch>
}

/** @param now - sends before it are not shown */
export function createTailReader(db: Db, envId: string, now: number): TailReader {
  const seen = new Set<string>()
  return {
    async readNew(lookedAt) {
      const from = Math.max(now, lookedAt - OVERLAP_MS)
      const pages = await Promise.all(db.groups.map(group => readTail(group, envId, from, MAX_READ)))
      const fresh = pages.flat().filter(({ id }) => !seen.has(id))
      for (const { id } of fresh) seen.add(id)
      for (const id of seen) if (timeInId(id) < from - OVERLAP_MS) seen.delete(id)
      // Without a send that was shown before, there may be others between.
      const isGapPossible = pages.some(
        page => page.length === MAX_READ && page.every(({ id }) => fresh.some(one => one.id === id))
      )
      const sends = fresh.toSorted((a, b) => (a.id < b.id ? 1 : -1)).slice(0, MAX_SHOWN)
      return { isCut: fresh.length > sends.length || isGapPossible, sends }
    }
  }
}

// Claims of a lane. Where its provider takes only so many a second, environments go in turns once there is more than it takes:
// the burst of one must not keep the single message of another waiting for hours.
//
// No index knows environments, which every row would pay for: who waits is read now and then, and where each one's rows begin
// and end, so that a turn hardly meets the rows of others.

import { performance } from 'node:perf_hooks'

import type { Group } from '../db/sql.ts'
import type { Log } from '../log.ts'
import { EVERYTHING } from './horizon.ts'
import { byDue, claim, readWaiting, type Claim, type Claimed, type Waiting } from './outbox.ts'

/** Of the time, so much may be spent on finding them: a deep queue is read less often. */
const SHARE = 0.02

export interface Catch {
  /** Oldest first. */
  readonly rows: readonly Claimed[]
  /** There may be more that are due. */
  readonly more: boolean
}

export class Turns {
  readonly #group: Group
  readonly #limited: boolean
  readonly #log: Log
  /** There was more than its provider takes. */
  #crowded = false
  #waiting: Waiting[] = []
  /** Everything was to be looked at since who waits was read: turns, which look at less, must not hide that. */
  #stale = false
  /** Milliseconds of a clock that is never set back. */
  #readAfter = Number.NEGATIVE_INFINITY

  /** @param limited - its provider takes only so many a second */
  constructor(group: Group, limited: boolean, log: Log) {
    this.#group = group
    this.#limited = limited
    this.#log = log
  }

  async claim(wanted: Claim): Promise<Catch> {
    this.#stale ||= wanted.low === EVERYTHING
    // Before the claim: while rows are in our hands, nothing may keep them there.
    if (this.#crowded && this.#stale) await this.#look(wanted)
    for (let turn = this.#waiting.shift(); turn; turn = this.#waiting.shift()) {
      const found = await this.#claim({ ...wanted, ...turn })
      const last = found.rows.at(-1)
      if (!last) continue
      if (found.more) this.#waiting.push({ ...turn, low: last.dueAt })
      return { more: true, rows: found.rows }
    }
    const found = await this.#claim(wanted)
    this.#crowded = this.#limited && found.more
    return found
  }

  async #claim(wanted: Claim): Promise<Catch> {
    const rows = await claim(this.#group, wanted)
    const { found = 0 } = rows[0] ?? {}
    return { more: found === wanted.limit || found > rows.length, rows: rows.sort(byDue) }
  }

  /** Never throws: nothing but the order depends on it. */
  async #look({ lane }: Claim): Promise<void> {
    const began = performance.now()
    if (began < this.#readAfter) return
    this.#stale = false
    try {
      const waiting = await readWaiting(this.#group, lane)
      const next = this.#waiting.map(({ envId }) => envId)
      // Whoever was about to come still is; who is new comes first, and has waited for that.
      const placeOf = ({ envId }: Waiting): number => next.indexOf(envId)
      this.#waiting = waiting.toSorted((a, b) => placeOf(a) - placeOf(b))
    } catch (error) {
      this.#log.warn({ err: error, lane }, 'Who waits could not be read; turns go on as they were')
    }
    const now = performance.now()
    this.#readAfter = now + (now - began) / SHARE
  }
}

// Claims of a queue. Where its provider takes only so many a second, environments go in turns once there is more than it takes:
// the burst of one must not keep the single message of another waiting for hours.
//
// No index knows environments, which every row would pay for: who waits is read now and then, and where each one's rows begin
// and end, so that a turn hardly meets the rows of others. Who came since then is read far more often, from the end of the queue.

import { performance } from 'node:perf_hooks'

import type { Log } from '../core/log.ts'
import type { Group } from '../db/db.ts'
import { byDue, claim, readWaiting, type Claim, type Claimed, type Waiting } from './outbox.sql.ts'
import { EVERYTHING, TRAIL } from './scan-floor.ts'

/** Of the time, so much may be spent on finding them, and as much on those who came since: what takes long is read less often. */
const SHARE = 0.02

/** A look that rests after each time, so that it has no more than its {@link SHARE}. */
class Look {
  /** Milliseconds of a clock that is never set back. */
  #after = Number.NEGATIVE_INFINITY

  get isDue(): boolean {
    return performance.now() >= this.#after
  }

  async take<T>(read: () => Promise<T>): Promise<T> {
    const began = performance.now()
    try {
      return await read()
    } finally {
      const now = performance.now()
      this.#after = now + (now - began) / SHARE
    }
  }
}

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
  readonly #all = new Look()
  readonly #latest = new Look()
  /** Whoever waits and was not read yet is due after this, or comes with the next look at everything, also where the clock was set back. */
  #low = EVERYTHING

  /** @param limited - its provider takes only so many a second */
  constructor(group: Group, limited: boolean, log: Log) {
    this.#group = group
    this.#limited = limited
    this.#log = log
  }

  async claim(wanted: Claim): Promise<Catch> {
    this.#stale ||= wanted.low === EVERYTHING
    // Before the claim: while rows are in our hands, nothing may keep them there.
    if (this.#crowded) await this.#look(wanted)
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
  async #look({ queue }: Claim): Promise<void> {
    const all = this.#stale && this.#all.isDue
    const look = all ? this.#all : this.#latest
    if (!look.isDue) return
    if (all) {
      this.#stale = false
      this.#low = EVERYTHING
    }
    try {
      this.#merge(await look.take(() => readWaiting(this.#group, queue, this.#low)))
    } catch (error) {
      this.#log.warn({ err: error, queue }, 'Who waits could not be read; turns go on as they were')
    }
  }

  /** Whoever was about to come still is, and who is new comes after: else those who keep coming would leave no turn to who waits. */
  #merge(waiting: readonly Waiting[]): void {
    const found = new Map(waiting.map(one => [one.envId, one]))
    const next = this.#waiting.map(turn => {
      const { high, low } = found.get(turn.envId) ?? turn
      found.delete(turn.envId)
      return { ...turn, high, low: low < turn.low ? low : turn.low }
    })
    this.#waiting = [...next, ...found.values()]
    for (const { high } of waiting)
      this.#low = new Date(Math.max(this.#low.getTime(), high.getTime() - TRAIL))
  }
}

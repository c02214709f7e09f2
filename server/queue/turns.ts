// Claims of a lane. Where its provider takes only so many a second, environments go in turns once there is more than it takes:
// the burst of one must not keep the single message of another waiting for hours.
//
// No index knows environments, which every row would pay for: who waits is read now and then, and from where each one's rows
// begin, so that a turn hardly meets the rows of others.

import { performance } from 'node:perf_hooks'

import type { Group } from '../db/sql.ts'
import { byDue, claim, readWaiting, type Claim, type Claimed, type Waiting } from './outbox.ts'

/** Milliseconds until somebody new is found. */
const EVERY = 10_000
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
  #waiting: Waiting[] = []
  #readAfter = Number.NEGATIVE_INFINITY

  /** @param limited - its provider takes only so many a second */
  constructor(group: Group, limited: boolean) {
    this.#group = group
    this.#limited = limited
  }

  async claim(wanted: Claim): Promise<Catch> {
    for (let turn = this.#waiting.shift(); turn; turn = this.#waiting.shift()) {
      const found = await this.#claim({ ...wanted, ...turn })
      const last = found.rows.at(-1)
      if (!last) continue
      if (found.more) this.#waiting.push({ envId: turn.envId, low: last.dueAt })
      await this.#look(wanted)
      return { more: true, rows: found.rows }
    }
    const found = await this.#claim(wanted)
    if (this.#limited && found.more) await this.#look(wanted)
    return found
  }

  async #claim(wanted: Claim): Promise<Catch> {
    const rows = await claim(this.#group, wanted)
    const { found = 0 } = rows[0] ?? {}
    return { more: found === wanted.limit || found > rows.length, rows: rows.sort(byDue) }
  }

  async #look({ lane }: Claim): Promise<void> {
    const began = performance.now()
    if (began < this.#readAfter) return
    const next = this.#waiting.map(({ envId }) => envId)
    const waiting = await readWaiting(this.#group, lane)
    // Whoever was about to come still is; who is new comes first, and has waited for that.
    const placeOf = ({ envId }: Waiting): number => next.indexOf(envId)
    this.#waiting = waiting.toSorted((a, b) => placeOf(a) - placeOf(b))
    const now = performance.now()
    this.#readAfter = now + Math.max(EVERY, (now - began) / SHARE)
  }
}

// The tries under way in this process: a few at a time, the rest waits in the order of its due times.

import { performance } from 'node:perf_hooks'

import type { Log } from '../core/log.ts'
import type { Claimed } from './outbox.sql.ts'
import type { Outcome } from './outcome.ts'
import type { Deliver, Attempt } from './queue-job.ts'
import { crashOf, type Ending } from './result.ts'

/** From the claim to the try. A row that waited longer goes back: its lease would not last for it. Milliseconds. */
const START_WITHIN = 8000
/** For a channel to say itself what the time-out did. Milliseconds. */
const GRACE = 1000

interface Entry {
  readonly row: Claimed
  readonly deliver: (row: Claimed, call: Attempt) => Promise<Outcome>
  /** When its claim was asked for: the lease cannot have begun before. */
  readonly since: number
}

export interface TriesOptions {
  readonly elapsed: () => number
  readonly log: Log
  /** The queue rests: start nothing. */
  readonly paused: () => boolean
  /** @param last - nothing else is under way or waiting */
  readonly ended: (row: Claimed, ending: Ending, milliseconds: number, last: boolean) => void
  readonly giveBack: (rows: readonly Claimed[]) => void
}

export class Tries {
  readonly #work: Deliver
  readonly #options: TriesOptions
  #waiting: Entry[] = []
  readonly #active = new Map<Entry, AbortController>()

  constructor(work: Deliver, options: TriesOptions) {
    this.#work = work
    this.#options = options
  }

  /** @param since - when the claim was asked for */
  add(rows: readonly Claimed[], deliver: Entry['deliver'], since: number): void {
    for (const row of rows) this.#waiting.push({ deliver, row, since })
    this.#fill()
  }

  /** The rows that were not started. */
  takeWaiting(): Claimed[] {
    return this.#waiting.splice(0).map(entry => entry.row)
  }

  /** Aborts what is under way; its endings are not heard any more. */
  abort(): Claimed[] {
    const active = [...this.#active]
    this.#active.clear()
    for (const [, controller] of active) controller.abort(new Error('The process stops.'))
    return active.map(([entry]) => entry.row)
  }

  #fill(): void {
    const [first] = this.#waiting
    if (!first) return
    if (this.#options.paused()) this.#options.giveBack(this.takeWaiting())
    else if (this.#isOver(first, START_WITHIN)) {
      const late = this.#waiting.findLastIndex(entry => this.#isOver(entry, START_WITHIN)) + 1
      this.#options.giveBack(this.#waiting.splice(0, late).map(entry => entry.row))
    }
    const free = this.#work.slots - this.#active.size
    for (const entry of this.#waiting.splice(0, Math.max(0, free))) void this.#try(entry)
  }

  #isOver({ since }: Entry, milliseconds: number): boolean {
    return this.#options.elapsed() - since > milliseconds
  }

  async #try(entry: Entry): Promise<void> {
    const controller = new AbortController()
    this.#active.set(entry, controller)
    const started = performance.now()
    const ending = await this.#ending(entry, controller)
    if (!this.#active.delete(entry)) return
    const last = this.#active.size + this.#waiting.length === 0
    if (ending.fate === 'late') this.#options.giveBack([entry.row])
    else this.#options.ended(entry.row, ending, performance.now() - started, last)
    this.#fill()
  }

  /** At the latest {@link GRACE} after the time-out. */
  #ending(entry: Entry, controller: AbortController): Promise<Ending | Outcome> {
    const { deliver, row } = entry
    const { name, timeout } = this.#work
    const late = (): boolean => this.#isOver(entry, START_WITHIN + timeout)
    const detail = `No answer within ${timeout} ms.`
    return new Promise(resolve => {
      let timer = setTimeout(() => {
        controller.abort(new Error(detail))
        timer = setTimeout(() => resolve({ code: 'timeout', detail, fate: 'uncertain' }), GRACE)
      }, timeout)
      const end = (ending: Ending | Outcome): void => {
        clearTimeout(timer)
        resolve(ending)
      }
      const crash = (error: unknown): void => {
        this.#options.log.error({ err: error, id: row.id, queue: name }, 'A try crashed')
        end(crashOf(error))
      }
      try {
        deliver(row, { attempt: row.claimCount, late, signal: controller.signal }).then(end, crash)
      } catch (error) {
        crash(error)
      }
    })
  }
}

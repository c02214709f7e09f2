// What tries came to, collected for up to 20 ms and written in one statement.
//
// The window is part of what a crash repeats: a row whose report was not yet written is delivered again.

import type { Log } from '../core/log.ts'
import type { Group } from '../db/db.ts'
import { fenceOf, finish, type Finish } from './finish.sql.ts'
import type { Claimed } from './outbox.sql.ts'
import type { QueueName } from './queues.ts'
import { patiently } from './retry-until-up.ts'

const WINDOW = 20
const BATCH = 500

export interface Reported {
  readonly rows: readonly Claimed[]
  /** Ids whose row had another owner by now: nothing was written for them. */
  readonly fenced: readonly string[]
  /** Queues to which rows went on. */
  readonly onward: ReadonlySet<QueueName>
}

export class Reports {
  readonly #group: Group
  readonly #log: Log
  readonly #done: (reported: Reported) => void
  #buffer: Finish[] = []
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined

  /** @param done - after each write; the rows are out of our hands then */
  constructor(group: Group, log: Log, done: (reported: Reported) => void) {
    this.#group = group
    this.#log = log
    this.#done = done
  }

  /** @param last - nothing else is about to come, so there is nothing to wait for */
  add(report: Finish, last: boolean): void {
    this.#buffer.push(report)
    if (last || this.#buffer.length >= BATCH) void this.flush()
    else this.#timer ??= setTimeout(() => void this.flush(), WINDOW)
  }

  /** Resolves when all that was added is written. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#buffer.length > 0) this.#writing ??= this.#write()
    await this.#writing
  }

  /**
   * What is added while a write is under way goes with the next one. The end is said in the same breath in which nothing
   * more was found: what came between the two would be written by nobody, and its row delivered again.
   */
  async #write(): Promise<void> {
    try {
      while (this.#buffer.length > 0) {
        const batch = this.#buffer.splice(0, BATCH)
        const ours = await this.#writeBatch(batch)
        const fenced = batch.filter(one => !ours.has(fenceOf(one.row))).map(one => one.row.id)
        const onward = new Set(batch.flatMap(one => one.onward ?? []))
        this.#done({ fenced, onward, rows: batch.map(one => one.row) })
      }
    } finally {
      this.#writing = undefined
    }
  }

  /** Never gives up while the database is away: the fence makes a late report harmless. */
  async #writeBatch(batch: readonly Finish[]): Promise<Set<string>> {
    const rows = batch.length
    try {
      return await patiently(() => finish(this.#group, batch), {
        waits: error => this.#log.warn({ err: error, rows }, 'Reports wait for the database')
      })
    } catch (error) {
      this.#log.error({ err: error, rows }, 'A batch of reports was refused; writing them one by one')
      return this.#oneByOne(batch)
    }
  }

  /** A row that cannot be logged must still not be delivered twice: then it is ended without its log. */
  async #oneByOne(batch: readonly Finish[]): Promise<Set<string>> {
    const ours = new Set<string>()
    for (const one of batch) {
      const written = await finish(this.#group, [one])
        .catch(() => finish(this.#group, [one], false))
        .catch((error: unknown) => {
          this.#log.error(
            { err: error, id: one.row.id, queue: one.queue },
            'A report cannot be written; its row comes again'
          )
          return new Set([fenceOf(one.row)])
        })
      for (const fence of written) ours.add(fence)
    }
    return ours
  }
}

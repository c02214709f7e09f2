// Late requests: a request that takes long to prepare, because its template does, leaves its batch and joins a later one.
//
// Otherwise all requests of the batch would wait for it, those of other environments too.

import { setImmediate as nextTurn } from 'node:timers/promises'

export interface BatchedRequest {
  /** Placement hash of the user; two users may share it. */
  readonly placementHash: number
}

export interface Pending<Request, Result> {
  /** Grows with each request. */
  readonly number: number
  readonly request: Request
  resolve(result: Result): void
  reject(error: unknown): void
}

interface LateRequest<Request, Result> {
  readonly pending: Pending<Request, Result>
  /** Resolves when all earlier late requests of the user are settled. */
  readonly turn: PromiseWithResolvers<void>
}

export class LateRequests<Request extends BatchedRequest, Result, Prepared> {
  readonly #join: (pending: Pending<Request, Result>, prepared: Prepared) => void
  /** Late requests that are not settled, by placement hash, in the order of their arrival. */
  readonly #late = new Map<number, LateRequest<Request, Result>[]>()

  /** @param join - called when a late request is prepared */
  constructor(join: (pending: Pending<Request, Result>, prepared: Prepared) => void) {
    this.#join = join
  }

  isUserLate(placementHash: number): boolean {
    return this.#late.has(placementHash)
  }

  /** Waits until the late requests of the user before this one are settled, so that it does not overtake them. */
  async waitForTurn(pending: Pending<Request, Result>): Promise<void> {
    await this.#add(pending).turn.promise
  }

  /** Called after every request. */
  settle({ number, request: { placementHash } }: Pending<Request, Result>): void {
    const others = this.#late.get(placementHash)?.filter(({ pending }) => pending.number !== number)
    if (!others) return
    if (others.length === 0) this.#late.delete(placementHash)
    else this.#late.set(placementHash, others)
    others[0]?.turn.resolve()
  }

  /**
   * @param preparing - for each request; undefined if the request failed and is settled
   * @returns what is prepared after one turn of the event loop, because most requests wait for nothing. The others are late, and
   * so are those of the same users behind them
   */
  async takePrepared(
    pending: readonly Pending<Request, Result>[],
    preparing: readonly Promise<Prepared | undefined>[]
  ): Promise<Prepared[]> {
    const done = new Map<number, Prepared | undefined>()
    await Promise.race([Promise.all(preparing.map(async (one, i) => done.set(i, await one))), nextTurn()])
    const taken: Prepared[] = []
    for (const [i, one] of pending.entries()) {
      const [first] = this.#late.get(one.request.placementHash) ?? []
      const isBehind = first !== undefined && first.pending.number < one.number
      const prepared = done.get(i)
      if (isBehind || !done.has(i)) void this.#postpone(one, preparing[i]!)
      else if (prepared !== undefined) taken.push(prepared)
    }
    return taken
  }

  async #postpone(
    pending: Pending<Request, Result>,
    preparing: Promise<Prepared | undefined>
  ): Promise<void> {
    try {
      const [prepared] = await Promise.all([preparing, this.waitForTurn(pending)])
      if (prepared !== undefined) this.#join(pending, prepared)
    } catch (error) {
      pending.reject(error)
    }
  }

  /** A request that was late before is not added again. */
  #add(pending: Pending<Request, Result>): LateRequest<Request, Result> {
    const ofUser = this.#late.get(pending.request.placementHash) ?? []
    let late = ofUser.find(one => one.pending.number === pending.number)
    if (!late) {
      late = { pending, turn: Promise.withResolvers() }
      const sorted = [...ofUser, late].toSorted((a, b) => a.pending.number - b.pending.number)
      this.#late.set(pending.request.placementHash, sorted)
      sorted[0]!.turn.resolve()
    }
    return late
  }
}

// Fair slots: work of many environments that may run only a few at once. The environments take turns, and one of them cannot
// use all slots, so its burst does not delay the others.

export interface FairSlotLimits {
  /** Work that runs at once. */
  readonly slots: number
  /** Of one environment. */
  readonly slotsPerEnvironment: number
  /** Work of one environment that may wait for a slot. */
  readonly waitingPerEnvironment: number
}

/** `full`: too much work of the environment waits. `aborted`: the caller left before a slot was free. */
export type SlotResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: 'full' | 'aborted' }

interface Usage {
  running: number
  /** Starts the work of each, the oldest first. */
  readonly waiting: Set<() => void>
}

export class FairSlots {
  readonly #limits: FairSlotLimits
  /** Environments that use or want a slot; the one whose last turn is longest ago comes first. */
  readonly #environments = new Map<string, Usage>()
  #running = 0

  constructor(limits: FairSlotLimits) {
    this.#limits = limits
  }

  /** @param signal - aborts when the caller leaves: waiting work is dropped, and running work has to stop itself */
  async run<T>(
    envId: string,
    signal: AbortSignal | undefined,
    work: () => Promise<T>
  ): Promise<SlotResult<T>> {
    const refusal = await this.#acquire(envId, signal)
    if (refusal !== undefined) return { ok: false, reason: refusal }
    try {
      return { ok: true, value: await work() }
    } finally {
      this.#release(envId)
    }
  }

  /** @returns undefined as soon as a slot is free, which the caller then uses */
  async #acquire(envId: string, signal: AbortSignal | undefined): Promise<'full' | 'aborted' | undefined> {
    if (signal?.aborted) return 'aborted'
    const usage = this.#environments.get(envId) ?? { running: 0, waiting: new Set() }
    this.#environments.set(envId, usage)
    const turn = Promise.withResolvers<'aborted' | undefined>()
    const start = (): void => turn.resolve(undefined)
    usage.waiting.add(start)
    this.#fillSlots()
    if (usage.waiting.size > this.#limits.waitingPerEnvironment) {
      usage.waiting.delete(start)
      this.#forgetIfUnused(envId, usage)
      return 'full'
    }
    const leave = (): void => {
      if (usage.waiting.delete(start)) turn.resolve('aborted')
      this.#forgetIfUnused(envId, usage)
    }
    signal?.addEventListener('abort', leave)
    try {
      return await turn.promise
    } finally {
      signal?.removeEventListener('abort', leave)
    }
  }

  #release(envId: string): void {
    const usage = this.#environments.get(envId)!
    usage.running -= 1
    this.#running -= 1
    this.#moveToEnd(envId, usage)
    this.#forgetIfUnused(envId, usage)
    this.#fillSlots()
  }

  #fillSlots(): void {
    while (this.#running < this.#limits.slots) {
      const next = [...this.#environments].find(
        ([, { running, waiting }]) => waiting.size > 0 && running < this.#limits.slotsPerEnvironment
      )
      if (!next) return
      const [envId, usage] = next
      const [start] = usage.waiting
      usage.waiting.delete(start!)
      usage.running += 1
      this.#running += 1
      this.#moveToEnd(envId, usage)
      start!()
    }
  }

  #moveToEnd(envId: string, usage: Usage): void {
    this.#environments.delete(envId)
    this.#environments.set(envId, usage)
  }

  #forgetIfUnused(envId: string, { running, waiting }: Usage): void {
    if (running === 0 && waiting.size === 0) this.#environments.delete(envId)
  }
}

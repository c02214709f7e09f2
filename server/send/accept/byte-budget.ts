// Bounds the bytes of all requests in progress, and leaves room for every environment.

import { Problem } from '../../http/problem.ts'

export const tooManySends = (): Problem =>
  new Problem(
    'unavailable',
    'Too many sends wait for the database. Retry in 1 second with the same Idempotency-Key.',
    { headers: { 'retry-after': '1' } }
  )

export class ByteBudget {
  readonly #max: number
  readonly #ofEnvironment = new Map<string, number>()
  #used = 0

  constructor(maxBytes: number) {
    this.#max = maxBytes
  }

  /** Counts the bytes until `work` ends. @throws Problem `unavailable` if there is no room for them, or any error of `work` */
  async run<T>(envId: string, bytes: number, work: () => Promise<T>): Promise<T> {
    if (!this.take(envId, bytes)) throw tooManySends()
    try {
      return await work()
    } finally {
      this.release(envId, bytes)
    }
  }

  /**
   * An environment may use half of what the others leave, so that large requests of one do not fill the memory for all. A request
   * that is alone in the process always fits.
   *
   * @returns false if there is no room
   */
  take(envId: string, bytes: number): boolean {
    const own = this.#ofEnvironment.get(envId) ?? 0
    const free = this.#max - (this.#used - own)
    if (this.#used > 0 && own + bytes > free / 2) return false
    this.#ofEnvironment.set(envId, own + bytes)
    this.#used += bytes
    return true
  }

  release(envId: string, bytes: number): void {
    const own = this.#ofEnvironment.get(envId)! - bytes
    if (own === 0) this.#ofEnvironment.delete(envId)
    else this.#ofEnvironment.set(envId, own)
    this.#used -= bytes
  }
}

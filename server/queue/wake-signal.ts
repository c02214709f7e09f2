// Wakes one waiting worker. A signal before the wait counts, and two signals count once.

export class WakeSignal {
  #isSet = false
  #wake: (() => void) | undefined

  notify(): void {
    this.#isSet = true
    this.#wake?.()
  }

  /** Waits for a signal, at most `timeoutMs`. @returns true if there was a signal */
  async wait(timeoutMs: number = Number.POSITIVE_INFINITY): Promise<boolean> {
    if (!this.#isSet) {
      await new Promise<void>(resolve => {
        const timer = Number.isFinite(timeoutMs) ? setTimeout(resolve, Math.max(0, timeoutMs)) : undefined
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      this.#wake = undefined
    }
    const wasSet = this.#isSet
    this.#isSet = false
    return wasSet
  }
}

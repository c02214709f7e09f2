// A bell that one loop waits for: ringing before the wait counts, ringing twice counts once.

export class WakeSignal {
  #rung = false
  #waiting: (() => void) | undefined

  ring(): void {
    this.#rung = true
    this.#waiting?.()
  }

  /** Resolves when it is rung or after `milliseconds`; true: it was rung. */
  async wait(milliseconds: number = Number.POSITIVE_INFINITY): Promise<boolean> {
    if (!this.#rung) {
      await new Promise<void>(resolve => {
        const timer = Number.isFinite(milliseconds)
          ? setTimeout(resolve, Math.max(0, milliseconds))
          : undefined
        this.#waiting = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      this.#waiting = undefined
    }
    const rung = this.#rung
    this.#rung = false
    return rung
  }
}

// The server's clock as one store knows it: the clocks of end users are wrong, some by days.

export interface ServerClock {
  /**
   * Milliseconds by which the server's clock is ahead of the local one; undefined if it is not known. The HTTP client sets
   * it with every answer, and the offline cache restores what the previous page knew.
   */
  offsetMs: number | undefined
  /** Milliseconds since 1970 by the server's clock, or by the local one if the offset is not known. */
  now(): number
}

export function createServerClock(): ServerClock {
  const clock: ServerClock = {
    now: () => Date.now() + (clock.offsetMs ?? 0),
    offsetMs: undefined
  }
  return clock
}

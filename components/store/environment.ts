// What a store needs from its environment, and the server's clock: the clocks of some end users are days off.

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

/** `hide` and `show`: visibility of the page. `freeze`: the page is left. `lost` and `wake`: the network is lost or back. */
export type Signal = 'show' | 'hide' | 'freeze' | 'lost' | 'wake'

/** Clock, timers and signals of the page. */
export interface BaseEnvironment {
  /** The server's clock behind `now`, if the transport is to correct it. */
  readonly clock?: ServerClock
  /** Milliseconds since 1970; in a page by the clock of the server. */
  now(): number
  /** Calls `callback` once after so many milliseconds. Returns the function that cancels it. */
  after(ms: number, callback: () => void): () => void
  /** Calls `listener` at every signal, and immediately with `hide` if the page is hidden. Returns the function that ends it. */
  watch(listener: (signal: Signal) => void): () => void
}

export interface Environment extends BaseEnvironment {
  /** Resolves when work that can wait should start: in a page after its first paint. */
  ready(): Promise<void>
}

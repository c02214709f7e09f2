// What the headless half wants to know about its surroundings. A page, a worker, Node and a test each give their own.

/** `hide` and `show`: the page cannot or can be seen. `freeze`: it goes away, maybe for ever. `lost` and `wake`: the network. */
export type Signal = 'show' | 'hide' | 'freeze' | 'lost' | 'wake'

/** Clock, timers and what happens to the page. */
export interface Surroundings {
  /** Milliseconds since 1970; in a page by the clock of the server. */
  now(): number
  /** Calls back once after so many milliseconds; the returned function prevents it. */
  after(ms: number, callback: () => void): () => void
  /** Calls back at every signal, and at once with `hide` where nobody sees the page; the returned function ends it. */
  watch(listener: (signal: Signal) => void): () => void
}

export interface Environment extends Surroundings {
  /** Resolves when work that can wait should start: in a page after its first paint. */
  ready(): Promise<void>
}

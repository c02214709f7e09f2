// When to be connected: while somebody listens and the page is seen, or was a minute ago.

import type { Surroundings } from '../store/environment.ts'

interface Options {
  readonly environment: Surroundings
  /** How long a hidden page stays connected, in milliseconds; may be Infinity. */
  readonly hiddenTimeout: number
  /** Opens the connection and gives the function that closes it. */
  readonly open: () => () => void
}

/** Connects, and returns the function that ends it. */
export function keepPresent({ environment, hiddenTimeout, open }: Options): () => void {
  let cancel = (): void => {}
  let close: (() => void) | undefined

  function leave(): void {
    cancel()
    close?.()
    close = undefined
  }

  close = open()
  const unwatch = environment.watch(signal => {
    if (signal === 'lost' || signal === 'wake') return
    cancel()
    if (signal === 'show') close ??= open()
    else if (signal === 'freeze') leave()
    // A timer of more than 24 days would go off at once.
    else if (hiddenTimeout < 2 ** 31) cancel = environment.after(hiddenTimeout, leave)
  })
  return () => {
    unwatch()
    leave()
  }
}

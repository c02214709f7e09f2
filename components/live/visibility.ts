// Opens the connection while the page is visible, and closes it some time after the page was hidden.

import type { BaseEnvironment } from '../store/environment.ts'

interface Options {
  readonly environment: BaseEnvironment
  /** How long a hidden page stays connected, in milliseconds; may be Infinity. */
  readonly hiddenTimeout: number
  /** Opens the connection and returns the function that closes it. */
  readonly open: () => () => void
}

/** Connects, and returns the function that disconnects for good. */
export function connectWhileVisible({ environment, hiddenTimeout, open }: Options): () => void {
  let cancel = (): void => {}
  let close: (() => void) | undefined

  function disconnect(): void {
    cancel()
    close?.()
    close = undefined
  }

  close = open()
  const unwatch = environment.watch(signal => {
    if (signal === 'lost' || signal === 'wake') return
    cancel()
    if (signal === 'show') close ??= open()
    else if (signal === 'freeze') disconnect()
    // A timer of more than 24 days would fire immediately.
    else if (hiddenTimeout < 2 ** 31) cancel = environment.after(hiddenTimeout, disconnect)
  })
  return () => {
    unwatch()
    disconnect()
  }
}

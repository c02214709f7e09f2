// The page as environment of a store: visibility, network and unload. Without a page (Node, a worker): clock and timers.

import { createServerClock } from '../store/clock.ts'
import type { Signal, Surroundings } from '../store/environment.ts'

function watch(listener: (signal: Signal) => void): () => void {
  if (typeof document === 'undefined') return () => {}
  const ended = new AbortController()
  const on = (target: EventTarget, type: string, signal: () => Signal): void =>
    target.addEventListener(type, () => listener(signal()), { signal: ended.signal })
  const seen = (): Signal => (document.hidden ? 'hide' : 'show')
  on(document, 'visibilitychange', seen)
  on(window, 'pageshow', seen)
  // A page with an open socket or a held lock does not enter the back-forward cache.
  on(window, 'pagehide', () => 'freeze')
  on(window, 'online', () => 'wake')
  on(window, 'offline', () => 'lost')
  if (document.hidden) listener('hide')
  return () => ended.abort()
}

const after = (ms: number, callback: () => void): (() => void) => {
  const timer = setTimeout(callback, ms)
  return () => clearTimeout(timer)
}

/** Each store has its own: two stores of a page may belong to servers whose clocks differ. */
export function createSurroundings(): Surroundings {
  const clock = createServerClock()
  return { after, clock, now: clock.now, watch }
}
